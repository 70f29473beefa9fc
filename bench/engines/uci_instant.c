/* uci_instant -- a deterministic UCI engine that moves at once, for measuring what a tournament manager costs.
 *
 *   uci_instant [--seed S] [--name NAME] [--info N] [--fail-at K MODE] [--delay-us U]
 *
 * It answers `go` with a legal move that depends only on S and the position, after N info lines (1 unless told).
 * It knows standard chess and Chess960 (castling as the king taking its own rook), and reads FEN.
 *
 * --fail-at K M   misbehave at the K'th `go` (counting from 1 in each game):
 *                 M = illegal | garbage | none | exit | hang | silent | twice
 * --delay-us U    sleep U microseconds before each move
 *
 * Build: gcc -O2 -Wall -Wextra -std=c99 -o uci_instant uci_instant.c
 */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A board of 0x88: square = 16 * rank + file. Pieces are letters as in FEN, upper case for White, 0 for none. */
typedef struct {
    char at[128];
    int white;    /* White is to move */
    int rook[4];  /* squares of the rooks that may castle, -1 for none: White h-side, a-side, Black h-side, a-side */
    int ep;       /* the square behind a pawn that has just moved two, -1 for none */
} Board;

typedef struct {
    int from, to;
    char promotion; /* lower case, 0 for none */
    int castling;   /* 1 h-side, 2 a-side, 0 none */
} Move;

static Board board;
static int is_960, gone, fail_at, delay_us, infos = 1;
static unsigned long long seed = 1;
static const char *fail_mode = "", *engine_name = "uci_instant";

static const int ROOK[] = {16, -16, 1, -1}, BISHOP[] = {15, 17, -15, -17};
static const int KING[] = {16, -16, 1, -1, 15, 17, -15, -17};
static const int KNIGHT[] = {31, 33, -31, -33, 14, 18, -14, -18};

static int is_own(const Board *b, char piece) { return piece && !!isupper((unsigned char)piece) == b->white; }

static int ray_hits(const Board *b, int square, const int *steps, const char *pieces, int by_white) {
    for (int i = 0; i < 4; i++)
        for (int to = square + steps[i]; !(to & 0x88); to += steps[i])
            if (b->at[to]) {
                char p = b->at[to];
                if (!!isupper((unsigned char)p) == by_white && strchr(pieces, tolower(p))) return 1;
                break;
            }
    return 0;
}

static int is_attacked(const Board *b, int square, int by_white) {
    int down = by_white ? -16 : 16;
    char pawn = by_white ? 'P' : 'p', knight = by_white ? 'N' : 'n', king = by_white ? 'K' : 'k';
    for (int side = -1; side <= 1; side += 2)
        if (!((square + down + side) & 0x88) && b->at[square + down + side] == pawn) return 1;
    for (int i = 0; i < 8; i++) {
        if (!((square + KNIGHT[i]) & 0x88) && b->at[square + KNIGHT[i]] == knight) return 1;
        if (!((square + KING[i]) & 0x88) && b->at[square + KING[i]] == king) return 1;
    }
    return ray_hits(b, square, ROOK, "rq", by_white) || ray_hits(b, square, BISHOP, "bq", by_white);
}

static int king_of(const Board *b, int white) {
    for (int s = 0; s < 128; s++)
        if (!(s & 0x88) && b->at[s] == (white ? 'K' : 'k')) return s;
    return -1;
}

static void make(Board *b, Move m) {
    char piece = b->at[m.from];
    int back = b->white ? 0 : 112, ep = -1;
    if (m.castling) {
        int rook = b->rook[(b->white ? 0 : 2) + m.castling - 1];
        char r = b->at[rook];
        b->at[m.from] = b->at[rook] = 0;
        b->at[back + (m.castling == 1 ? 6 : 2)] = piece;
        b->at[back + (m.castling == 1 ? 5 : 3)] = r;
    } else {
        if (tolower(piece) == 'p' && m.to == b->ep) b->at[m.to + (b->white ? -16 : 16)] = 0;
        if (tolower(piece) == 'p' && abs(m.to - m.from) == 32) ep = (m.to + m.from) / 2;
        b->at[m.from] = 0;
        b->at[m.to] = m.promotion ? (b->white ? (char)toupper(m.promotion) : m.promotion) : piece;
    }
    for (int i = 0; i < 4; i++)
        if (b->rook[i] == m.from || b->rook[i] == m.to || (tolower(piece) == 'k' && i / 2 == !b->white)) b->rook[i] = -1;
    b->ep = ep;
    b->white = !b->white;
}

static int is_legal(const Board *b, Move m) {
    Board after = *b;
    make(&after, m);
    return !is_attacked(&after, king_of(&after, b->white), !b->white);
}

static void add(const Board *b, Move *list, int *n, int from, int to) {
    Move m = {from, to, 0, 0};
    int last = (to >> 4) == (b->white ? 7 : 0) && tolower(b->at[from]) == 'p';
    for (const char *p = last ? "qrbn" : "-"; *p; p++) {
        m.promotion = last ? *p : 0;
        if (is_legal(b, m)) list[(*n)++] = m;
    }
}

static void castle(const Board *b, Move *list, int *n, int king, int side) {
    int rook = b->rook[(b->white ? 0 : 2) + side - 1], back = b->white ? 0 : 112;
    if (rook < 0) return;
    int king_to = back + (side == 1 ? 6 : 2), rook_to = back + (side == 1 ? 5 : 3);
    int low = king, high = king;
    int ends[3] = {rook, king_to, rook_to};
    for (int i = 0; i < 3; i++) {
        if (ends[i] < low) low = ends[i];
        if (ends[i] > high) high = ends[i];
    }
    for (int s = low; s <= high; s++)
        if (b->at[s] && s != king && s != rook) return;
    Board bare = *b;
    bare.at[king] = 0;
    for (int s = king; ; s += king_to > king ? 1 : -1) {
        if (is_attacked(s == king ? b : &bare, s, !b->white)) return;
        if (s == king_to) break;
    }
    Move m = {king, rook, 0, side};
    if (is_legal(b, m)) list[(*n)++] = m;
}

static int moves(const Board *b, Move *list) {
    int n = 0;
    for (int from = 0; from < 128; from++) {
        if ((from & 0x88) || !is_own(b, b->at[from])) continue;
        char kind = (char)tolower(b->at[from]);
        if (kind == 'p') {
            int up = b->white ? 16 : -16;
            if (!((from + up) & 0x88) && !b->at[from + up]) {
                add(b, list, &n, from, from + up);
                if ((from >> 4) == (b->white ? 1 : 6) && !b->at[from + 2 * up]) add(b, list, &n, from, from + 2 * up);
            }
            for (int side = -1; side <= 1; side += 2) {
                int to = from + up + side;
                if (!(to & 0x88) && ((b->at[to] && !is_own(b, b->at[to])) || to == b->ep)) add(b, list, &n, from, to);
            }
        } else if (kind == 'n' || kind == 'k') {
            const int *steps = kind == 'n' ? KNIGHT : KING;
            for (int i = 0; i < 8; i++)
                if (!((from + steps[i]) & 0x88) && !is_own(b, b->at[from + steps[i]])) add(b, list, &n, from, from + steps[i]);
            if (kind == 'k') { castle(b, list, &n, from, 1); castle(b, list, &n, from, 2); }
        } else {
            for (int i = 0; i < 8; i++) {
                if ((kind == 'r' && i >= 4) || (kind == 'b' && i < 4)) continue;
                for (int to = from + KING[i]; !(to & 0x88) && !is_own(b, b->at[to]); to += KING[i]) {
                    add(b, list, &n, from, to);
                    if (b->at[to]) break;
                }
            }
        }
    }
    return n;
}

static void spell(const Board *b, Move m, char *text) {
    int to = m.to;
    if (m.castling && !is_960) to = (b->white ? 0 : 112) + (m.castling == 1 ? 6 : 2);
    text += sprintf(text, "%c%d%c%d", 'a' + (m.from & 7), (m.from >> 4) + 1, 'a' + (to & 7), (to >> 4) + 1);
    if (m.promotion) sprintf(text, "%c", m.promotion);
}

static void set_up(char *fen) {
    memset(&board, 0, sizeof board);
    char *place = strtok(fen, " "), *side = strtok(NULL, " "), *rights = strtok(NULL, " "), *ep = strtok(NULL, " ");
    for (int s = 112; *place; place++) {
        if (*place == '/') s = (s & ~15) - 16;
        else if (isdigit((unsigned char)*place)) s += *place - '0';
        else board.at[s++] = *place;
    }
    board.white = !side || *side != 'b';
    for (int i = 0; i < 4; i++) board.rook[i] = -1;
    for (; rights && *rights && *rights != '-'; rights++) {
        int white = !!isupper((unsigned char)*rights), back = white ? 0 : 112, king = king_of(&board, white), rook = -1;
        char kind = (char)tolower(*rights), own = white ? 'R' : 'r';
        if (kind == 'k') { for (int s = king + 1; !(s & 8); s++) if (board.at[s] == own) rook = s; }
        else if (kind == 'q') { for (int s = king - 1; s >= back; s--) if (board.at[s] == own) rook = s; }
        else rook = back + kind - 'a';
        if (rook >= 0) board.rook[(white ? 0 : 2) + (rook > king ? 0 : 1)] = rook;
    }
    board.ep = ep && *ep != '-' ? 16 * (ep[1] - '1') + ep[0] - 'a' : -1;
}

static void position(char *line) {
    char *told = strstr(line, " moves "), *fen = strstr(line, "fen ");
    char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    if (told) *told = 0;
    set_up(fen ? fen + 4 : start);
    for (char *text = told ? strtok(told + 7, " ") : NULL; text; text = strtok(NULL, " ")) {
        /* Moves that a referee tells are legal: they are made without a list of moves. */
        Move m = {16 * (text[1] - '1') + text[0] - 'a', 16 * (text[3] - '1') + text[2] - 'a', text[4], 0};
        char piece = (char)tolower(board.at[m.from]);
        if (piece == 'k' && (is_own(&board, board.at[m.to]) || abs(m.to - m.from) == 2)) {
            m.castling = m.to > m.from ? 1 : 2;
        }
        make(&board, m);
    }
}

static void go(void) {
    Move list[256];
    char text[64] = "0000";
    int n = moves(&board, list);
    unsigned long long hash = seed * 0x9E3779B97F4A7C15ULL + 1;
    for (int s = 0; s < 128; s++)
        if (!(s & 0x88)) hash = (hash ^ (unsigned long long)board.at[s]) * 0x100000001B3ULL;
    if (n) spell(&board, list[(hash >> 20) % n], text);
    if (delay_us) usleep(delay_us);
    gone++;
    if (gone == fail_at) {
        if (!strcmp(fail_mode, "exit")) exit(3);
        if (!strcmp(fail_mode, "silent")) return;
        if (!strcmp(fail_mode, "hang")) for (;;) pause();
        if (!strcmp(fail_mode, "garbage")) strcpy(text, "xyzzy");
        if (!strcmp(fail_mode, "none")) strcpy(text, "(none)");
        if (!strcmp(fail_mode, "illegal")) strcpy(text, "a1a8");
        if (!strcmp(fail_mode, "twice")) printf("bestmove %s\n", text);
    }
    for (int i = 1; i <= infos; i++)
        printf("info depth %d seldepth %d score cp %d nodes %d nps 1000000 time 1 pv %s\n", i, i, (int)(hash % 41) - 20, 100 * i, text);
    printf("bestmove %s\n", text);
}

int main(int argc, char **argv) {
    static char line[1 << 16];
    for (int i = 1; i + 1 < argc; i++) {
        if (!strcmp(argv[i], "--seed")) seed = strtoull(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--name")) engine_name = argv[++i];
        else if (!strcmp(argv[i], "--info")) infos = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--delay-us")) delay_us = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--fail-at") && i + 2 < argc) { fail_at = atoi(argv[++i]); fail_mode = argv[++i]; }
    }
    char start[] = "position startpos";
    position(start);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = 0;
        if (!strcmp(line, "uci")) {
            printf("id name %s\nid author gyoji\n", engine_name);
            printf("option name Hash type spin default 16 min 1 max 1024\noption name Threads type spin default 1 min 1 max 8\n");
            printf("option name Clear Hash type button\noption name UCI_Chess960 type check default false\nuciok\n");
        } else if (!strcmp(line, "isready")) printf("readyok\n");
        else if (!strcmp(line, "ucinewgame")) gone = 0;
        else if (!strncmp(line, "setoption name UCI_Chess960 value ", 34)) is_960 = !strcmp(line + 34, "true");
        else if (!strncmp(line, "position ", 9)) position(line);
        else if (!strncmp(line, "go", 2)) go();
        else if (!strcmp(line, "quit")) break;
        fflush(stdout);
    }
    return 0;
}
