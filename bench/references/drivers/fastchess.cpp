// The log likelihood ratio by fastchess: a line "model elo0 elo1 alpha beta counts" in, a number out.
//
// In a checkout of github.com/Disservin/fastchess:
//   g++ -std=c++17 -O1 -I app/src -I app/third_party THIS app/src/matchmaking/sprt/sprt.cpp
//       app/src/core/logger/logger.cpp app/src/core/time/time.cpp app/src/core/globals/globals.cpp
//       -o sprt-fastchess   (tried with 74deac23 of July 2026)
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <matchmaking/sprt/sprt.hpp>
#include <matchmaking/stats.hpp>

int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string model;
        double elo0, elo1, alpha, beta;
        words >> model >> elo0 >> elo1 >> alpha >> beta;
        std::vector<int> n;
        for (int count; words >> count;) n.push_back(count);
        fastchess::SPRT sprt(alpha, beta, elo0, elo1, model, true);
        fastchess::Stats stats = n.size() == 3 ? fastchess::Stats(n[2], n[0], n[1])
                                               : fastchess::Stats(n[0], n[1], n[2], 0, n[3], n[4]);
        std::printf("%.12g\n", sprt.getLLR(stats, n.size() == 5));
    }
}
