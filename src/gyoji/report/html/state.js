// The state of a page with a game, and the views that draw it.
//
//     server, person ---> change({...}) ---> state ---> views (onChange), once for all changes of a task
//
// A view only draws. Listeners handle the person's input and call `change`. Views run in a microtask, so that several
// changes are drawn once, even on a hidden page.

/**
 * A move of a turn from the server: seat, text, ms, comment, phase, note, evaluation, length of its variation.
 * @typedef {[number, string, number, string?, string?, string?, string?, number?]} Move
 */
/**
 * What a turn changes: [place, signs, place, signs ...]; and what is shown after it: marked places, a number for each
 * side, arrows (two places each), lines of text, the rows of a table.
 * @typedef {[any[]?, number[]?, number[]?, [number, number][]?, string?, string[][]?]} Frame
 */
/** @typedef {{name: string, side: number, role: string}} SeatOf */
/**
 * A clock in ms: total time left, main time, period of byo-yomi, number of periods, moves in a period, limit of a move.
 * @typedef {{left: number, main: number, period: number, periods: number, stones: number, move: number}} Clock
 */
/** @typedef {{most: number, points: [number, number][]}} Curve */
/**
 * A game from the server (gyoji/report/html/games.py, gyoji/web/live.py).
 * @typedef {object} Game
 * @property {string} id
 * @property {string} title
 * @property {string} about
 * @property {"points" | "cells" | "squares" | "hexes"} kind
 * @property {string[]} columns
 * @property {string[]} rows
 * @property {number[]} stars
 * @property {string} tally
 * @property {[string, string][]} legend
 * @property {[string, string, string][]} phases [phase, what the players do in it, the task of who is to move]
 * @property {number} first_number
 * @property {string[]} sides
 * @property {SeatOf[]} seats
 * @property {Frame[]} frames
 * @property {Move[][]} turns
 * @property {Curve[]} curves
 * @property {[number, string][]} remarks
 * @property {[number, string][]} taken_back
 * @property {string} result
 * @property {{winners: number[], open: boolean, drawn: boolean, how: string, code: string}} [outcome]
 * @property {number[]} [thought]
 * @property {string} missing
 * @property {boolean} [hides]
 * @property {boolean} [decided] whether a program decides it: then moves cannot be tried
 * @property {boolean} [live]
 * @property {boolean} [hidden]
 * @property {boolean} [thoughts]
 * @property {number} [count]
 * @property {(number | null)[]} [left]
 * @property {(Clock | null)[]} [clocks]
 * @property {number[]} [acting]
 * @property {string} [phase] the phase of the moves of who is to move
 * @property {number} [waited]
 * @property {number} [at]
 * @property {string[]} [records]
 * @property {any[]} [rulings]
 * @property {Record<string, string>} [files]
 */
/**
 * How a person makes a move on the board (gyoji/core/game.py).
 * @typedef {object} Offered
 * @property {number[]} points
 * @property {string} between
 * @property {[string, string, number, string][]} choices
 * @property {string[]} signs
 * @property {[number[], string, string, string][]} ways
 */
/** Moves tried from a turn of the game. @typedef {{from: number, moves: string[], frames: Frame[], turns: Move[][], offered: Offered | null}} Variation */
/** A tried move with those that follow it. @typedef {{text: string, words: string, next: Node[]}} Node */
/** Something drawn over the position: place, kind, text or second place. @typedef {[number, string, (string | number)?]} Over */
/**
 * An answer that is on its way: to which question of which seat and game, in words, its place on the board and how many
 * turns had been played, and what keeps it; "" if nothing.
 * @typedef {{seat: number, question: number, game: string, began: string, answer: any, text: string, place: number, turn: number, trouble: string}} Pending
 */
/** @typedef {{theme: string, coordinates: boolean, numbers: boolean, sound: boolean, confirm: boolean, thoughts: boolean, line: boolean}} Look */
/**
 * @typedef {object} State
 * @property {Game | null} game what the server has told of the game
 * @property {number} turn how many turns of the shown line are on the board
 * @property {Variation | null} variation moves that are tried instead of the game's
 * @property {Map<number, Node[]>} tree all moves tried so far, by the turn of the game that they follow
 * @property {boolean} flipped whether the board is turned
 * @property {number[]} me seats of the person at this page
 * @property {any} question the open question of one of these seats
 * @property {number[]} chosen places that were chosen for a move
 * @property {any} standing how things stand for the person (GET /api/v1/seat)
 * @property {any} seat the seat that is asked, or was asked last (seat.js)
 * @property {boolean} leaves the person gives up, as soon as that can be said
 * @property {Pending | null} pending an answer that is on its way
 * @property {string} notice what became of the last answer, if that needs a word
 * @property {string} connection what is wrong with the connection, or the last error; "" if all is well
 * @property {Record<string, Over[]>} overlays drawn over the position, by name
 * @property {Look} look settings of this browser
 */

/** @type {State} */
export const state = {
  game: null, turn: 0, variation: null, tree: new Map(), flipped: false, me: [], question: null, chosen: [],
  standing: null, seat: null, leaves: false, pending: null, notice: "", connection: "", overlays: {},
  look: { theme: "", coordinates: true, numbers: false, sound: true, confirm: false, thoughts: false, line: false },
};

/** @typedef {(state: State, changed: Set<string>) => void} View */
/** @type {View[]} */
const views = [];
/** @type {Set<string>} */
let changed = new Set();

/**
 * Add a view, which is called after each change of the state.
 * @param {View} view called with the names of what has changed
 */
export function onChange(view) {
  views.push(view);
}

/**
 * Change the state, and schedule the views.
 * @param {Partial<State>} news
 */
export function change(news) {
  Object.assign(state, news);
  if (!changed.size) queueMicrotask(draw);
  for (const name of Object.keys(news)) changed.add(name);
}

function draw() {
  const now = changed;
  changed = new Set();
  for (const view of views) view(state, now);
}

/**
 * Draw something over the position. It replaces the earlier drawing of the same name.
 * @param {string} name
 * @param {Over[]} over
 */
export function overlay(name, over) {
  if (over.length || state.overlays[name]?.length) change({ overlays: { ...state.overlays, [name]: over } });
}
