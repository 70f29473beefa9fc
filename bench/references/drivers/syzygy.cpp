// What fastchess takes from Syzygy tables: a FEN in; out "can by_rule ignoring", where `can` is 0 or 1, and the
// others the result for the side to move (1, 0, -1; 9 for none) with the 50-move rule and without it.
// The argument is the search path of the tables.
//
// In a checkout of github.com/Disservin/fastchess:
//   g++ -std=c++17 -O1 -I app/src -I app/third_party THIS app/src/matchmaking/syzygy.cpp
//       app/third_party/pyrrhic/tbprobe.cpp -o syzygy-fastchess   (tried with f618e345 of July 2026)
#include <cstdio>
#include <iostream>
#include <string>

#include <chess.hpp>
#include <matchmaking/syzygy.hpp>

static int number(chess::GameResult result) {
    if (result == chess::GameResult::WIN) return 1;
    if (result == chess::GameResult::LOSE) return -1;
    return result == chess::GameResult::DRAW ? 0 : 9;
}

int main(int, char** argv) {
    if (!fastchess::initSyzygy(argv[1])) return 1;
    std::string line;
    while (std::getline(std::cin, line)) {
        chess::Board board(line);
        const bool can = fastchess::canProbeSyzgyWdl(board);
        std::printf("%d %d %d\n", can, can ? number(fastchess::probeSyzygyWdl(board, false)) : 9,
                    can ? number(fastchess::probeSyzygyWdl(board, true)) : 9);
    }
}
