// Positions and places of a game, computed from the changes of each turn, without knowledge of its rules.

import { change, state } from "./state.js";

/** @import { Game } from "./state.js" */

/**
 * Return the game, with the turns of the shown variation if there is one.
 * @returns {Game | null}
 */
export function shownGame() {
  const { game, variation } = state;
  if (!game || !variation) return game;
  const { from, frames, turns } = variation;
  return {
    ...game,
    frames: [...game.frames.slice(0, from + 1), ...frames],
    turns: [...game.turns.slice(0, from), ...turns],
    live: false, remarks: [], result: "", curves: [], taken_back: [],
  };
}

/** Return the number of the newest turn that can be shown. */
export function lastTurn() {
  const { game, variation } = state;
  if (!game) return 0;
  return Math.max(variation ? variation.from + variation.frames.length : game.frames.length - 1, 0);
}

/** Return whether the board shows the newest position. */
export const isAtEnd = () => !state.variation && state.turn === lastTurn();

/**
 * Show another turn.
 * @param {number} turn
 */
export function goTo(turn) {
  if (!state.game) return;
  const { variation } = state;
  if (variation && turn < variation.from) change({ variation: null });
  change({ turn: Math.min(Math.max(turn, 0), lastTurn()) });
}

/**
 * Show a game from the server.
 * @param {Game} game
 * @param {number} turn
 */
export function showGame(game, turn) {
  change({ game, variation: null });
  goTo(turn);
}

/**
 * Update a game in progress: replace its turns from number `first` on.
 * @param {any} news
 */
export function extendGame(news) {
  const { game } = state;
  if (!game) return;
  const follows = isAtEnd();
  const { first = 0, frames, turns, ...rest } = news;
  const next = { ...game, ...rest };
  if (frames) {
    next.frames = [...game.frames.slice(0, first ? first + 1 : 0), ...frames];
    next.turns = [...game.turns.slice(0, first), ...turns];
  }
  change({ game: next });
  if (follows) goTo(Infinity);
  else if (!state.variation) goTo(state.turn);
}

/**
 * Return the signs of each place after a turn, and the turn in which each appeared.
 * @param {Game} game
 * @param {number} turn
 */
export function positionAfter(game, turn) {
  /** @type {Map<number, string>} */
  const signs = new Map();
  /** @type {Map<number, number>} */
  const numbers = new Map();
  game.frames.slice(0, turn + 1).forEach(([changes = []], number) => {
    for (let index = 0; index < changes.length; index += 2) {
      const [place, text] = [changes[index], changes[index + 1]];
      signs.set(place, text);
      if (number && /^[BW]$/.test(text) && !numbers.has(place)) numbers.set(place, number);
      if (!text) numbers.delete(place);
    }
  });
  return { signs, numbers };
}

/**
 * Return the number of a turn as its game counts: a move of each side may make one number, as in chess.
 * @param {Game} game
 * @param {number} turn from 1
 * @returns {{number: number, side: number}} side: 0 or 1 if two moves share a number, else -1
 */
export function turnNumber({ first_number: first, turns, seats }, turn) {
  if (!first) return { number: turn, side: -1 };
  const [[seat] = [0]] = turns[0] ?? [];
  const moves = turn - 1 + seats[seat].side;
  return { number: first + Math.floor(moves / 2), side: moves % 2 };
}

/** Return a turn in words, such as "turn 7" or "move 4, Black". @param {Game} game @param {number} turn */
export function turnName(game, turn) {
  const { number, side } = turnNumber(game, turn);
  return side < 0 ? `turn ${number}` : `move ${number}, ${game.sides[side]}`;
}

/** Return a phase in words. @param {Game} game @param {string} phase */
export const phaseWords = (game, phase) => game.phases.find(([name]) => name === phase)?.[1] ?? phase;

/** Return the phase of the moves after a turn in words; "" in ordinary play, and at the end of a game. @param {Game} game @param {number} turn */
export function nextPhase(game, turn) {
  const phase = turn < game.turns.length ? game.turns[turn]?.[0]?.[4] : game.live && game.phase;
  return phase ? phaseWords(game, phase) : "";
}

/**
 * Return the name of a place in moves: its column and row.
 * @param {{columns: string[], rows: string[]}} scene
 * @param {number} place
 */
export function placeName({ columns, rows }, place) {
  return columns[place % columns.length] + rows[Math.floor(place / columns.length)];
}

/**
 * Return the place with a name; -1 if there is none.
 * @param {{columns: string[], rows: string[]}} scene
 * @param {string} name
 */
export function placeOf(scene, name) {
  const wanted = name.toLowerCase();
  const count = scene.columns.length * scene.rows.length;
  for (let place = 0; place < count; place++) if (placeName(scene, place).toLowerCase() === wanted) return place;
  return -1;
}

/**
 * Return the number of stones that a turn removed from the board.
 * @param {Game} game
 * @param {number} turn
 */
export function taken(game, turn) {
  const [changes = []] = game.frames[turn] ?? [];
  return game.kind === "points" ? changes.filter((each, index) => index % 2 && !each).length : 0;
}
