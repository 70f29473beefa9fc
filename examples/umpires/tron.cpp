// Tron: four players move at once on a field of 16 by 16 and leave walls behind them. An umpire in C++.
// Build it with: c++ -O2 -o tron tron.cpp

#include <iostream>
#include <string>
#include <vector>
using namespace std;

const int SIZE = 16, SEATS = 4;
int x[SEATS] = {2, 13, 13, 2}, y[SEATS] = {2, 2, 13, 13}, place[SEATS];  // place: 0 while the seat is alive
vector<string> field(SIZE, string(SIZE, '.'));

bool inside(int seat) { return x[seat] >= 0 && x[seat] < SIZE && y[seat] >= 0 && y[seat] < SIZE; }

void draw_and_ask() {
    string rows, grid, asked;
    for (string& row : field) {
        rows += row + "\\n";
        grid += grid.empty() ? "[" : ",[";
        for (char c : row) grid += c == '.' ? "\"\"," : string("\"=") + c + "\",";
        grid.back() = ']';
    }
    for (int seat = 0; seat < SEATS; seat++) {
        if (place[seat]) continue;
        string where = to_string(x[seat]) + " " + to_string(y[seat]);
        asked += (asked.empty() ? "{\"seat\":" : ",{\"seat\":") + to_string(seat) + ",\"say\":\"" + where + "\\n" + rows +
                 "\",\"choices\":[\"u\",\"d\",\"l\",\"r\"]}";
    }
    cout << "{\"picture\":{\"grid\":[" << grid << "]}}\n{\"ask\":[" << asked << "]}" << endl;
}

int main() {
    string line;
    getline(cin, line);  // begin: no setting matters here
    for (int seat = 0; seat < SEATS; seat++) field[y[seat]][x[seat]] = '0' + seat;
    for (int alive = SEATS; alive > 1;) {
        draw_and_ask();
        getline(cin, line);
        vector<vector<int>> visits(SIZE, vector<int>(SIZE));
        for (int seat = 0; seat < SEATS; seat++) {
            string key = "\"" + to_string(seat) + "\":{\"say\":\"";
            size_t at = line.find(key);
            char step = at == string::npos ? '?' : line[at + key.size()];  // a seat that failed runs into the wall
            if (step == 'u') y[seat]--; else if (step == 'd') y[seat]++;
            else if (step == 'l') x[seat]--; else if (step == 'r') x[seat]++; else x[seat] = -1;
            if (!place[seat] && inside(seat)) visits[y[seat]][x[seat]]++;
        }
        vector<int> dead;
        for (int seat = 0; seat < SEATS; seat++) {
            if (place[seat]) continue;
            if (!inside(seat) || field[y[seat]][x[seat]] != '.' || visits[y[seat]][x[seat]] > 1) dead.push_back(seat);
        }
        alive -= dead.size();
        for (int seat : dead) place[seat] = alive + 1;
        for (int seat = 0; seat < SEATS; seat++)
            if (!place[seat]) field[y[seat]][x[seat]] = '0' + seat;
    }
    cout << "{\"end\":{\"places\":[";
    for (int seat = 0; seat < SEATS; seat++) cout << (seat ? "," : "") << (place[seat] ? place[seat] : 1);
    cout << "],\"reason\":\"the others hit a wall\"}}" << endl;
    getline(cin, line);
}
