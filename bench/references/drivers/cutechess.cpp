// The log likelihood ratio by cutechess: a line "model elo0 elo1 alpha beta lost drawn won" in, a number out.
//
// In a checkout of github.com/cutechess/cutechess, with Qt (or a header QtGlobal with its three macros):
//   g++ -O1 -I projects/lib/src THIS projects/lib/src/sprt.cpp -o sprt-cutechess
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>

#include <QtGlobal>
#include <sprt.h>

int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string model;
        double elo0, elo1, alpha, beta;
        int counts[3];
        words >> model >> elo0 >> elo1 >> alpha >> beta >> counts[0] >> counts[1] >> counts[2];
        Sprt sprt;
        sprt.initialize(elo0, elo1, alpha, beta);
        const Sprt::GameResult results[3] = {Sprt::Loss, Sprt::Draw, Sprt::Win};
        for (int i = 0; i < 3; i++)
            while (counts[i]-- > 0) sprt.addGameResult(results[i]);
        std::printf("%.12g\n", sprt.status().llr);
    }
}
