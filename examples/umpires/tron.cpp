// Tron: four players move at once on a field of 16 by 16 and leave walls behind them. An umpire in C++.
// A player is sent its column and row, and the rows of the field: a place is free (.), or the wall of a seat
// or of the field (7). It answers u, d, l or r. Its points are the turns that it survives.
// Build it with: c++ -std=c++20 -O2 -o tron tron.cpp

#include <iostream>
#include <map>
#include <string>
#include <vector>
using namespace std;

const int WIDTH = 18;  // with the wall around the field, so that no step leads out of it

int main() {
    string line, field(WIDTH * WIDTH, '7');
    for (int y = 1; y < WIDTH - 1; y++) field.replace(y * WIDTH + 1, WIDTH - 2, WIDTH - 2, '.');
    vector<int> at = {3 * WIDTH + 3, 3 * WIDTH + 14, 14 * WIDTH + 14, 14 * WIDTH + 3};
    vector<int> alive = {0, 1, 2, 3}, points(4);
    map<char, int> steps = {{'u', -WIDTH}, {'d', WIDTH}, {'l', -1}, {'r', 1}};
    getline(cin, line);  // begin: no setting matters here
    while (alive.size() > 1) {
        for (int seat : alive) field[at[seat]] = '0' + seat;
        string rows, grid, questions;
        for (int i = 0; i < WIDTH * WIDTH; i++) {
            rows += (i % WIDTH ? "" : "\\n") + string(1, field[i]);
            grid += (i % WIDTH ? ",\"" : i ? "],[\"" : "\"") + (field[i] == '.' ? "" : string("=") + field[i]) + "\"";
        }
        for (int seat : alive) {
            string where = to_string(at[seat] % WIDTH) + " " + to_string(at[seat] / WIDTH);
            questions += (seat == alive[0] ? "" : ",") + ("{\"seat\":" + to_string(seat)) + ",\"say\":\"" + where + rows;
            questions += "\",\"choices\":[\"u\",\"d\",\"l\",\"r\"]}";
        }
        cout << "{\"picture\":{\"grid\":[[" << grid << "]]}}\n{\"ask\":[" << questions << "]}" << endl;
        getline(cin, line);
        map<int, int> visits;
        for (int seat : alive) {
            size_t said = line.find("\"" + to_string(seat) + "\":{\"say\":\"");  // not there if the seat has failed
            if (said != string::npos) at[seat] += steps[line[said + 12]];  // without a step it is in its own wall
            visits[at[seat]]++;
        }
        erase_if(alive, [&](int seat) { return field[at[seat]] != '.' || visits[at[seat]] > 1; });
        for (int seat : alive) points[seat]++;
    }
    cout << "{\"end\":{\"points\":[" << points[0] << "," << points[1] << "," << points[2] << "," << points[3];
    cout << "],\"reason\":\"the others hit a wall\"}}" << endl;
    getline(cin, line);
}
