// @ts-check
/** Painting: a finger over squares is one step, seen at once and taken back at once. */

import * as model from "./model.mjs";

/**
 * @typedef {import("./board.mjs").Board} Board
 * @typedef {import("./types.mjs").Place} Place
 */

/**
 * @param {Board} board
 * @param {Place | null} place
 */
export function startStroke(board, place) {
  if (board.waiting) return;
  board.strokes = { before: board.snapshot, places: [] };
  stroke(board, place);
}

/**
 * @param {Board} board
 * @param {Place | null} place
 */
export function stroke(board, place) {
  const strokes = board.strokes;
  if (!place || !strokes || strokes.places.some((each) => String(each) === String(place))) return;
  strokes.places.push(place);
  // Shown at once, but kept as one step of undo when the finger is lifted.
  board.history.present = model.withSquares(strokes.before, strokes.places, board.brush);
  board.render();
}

/**
 * @param {Board} board
 * @param {boolean} kept whether the finger was lifted and no second one came
 */
export function endStroke(board, kept) {
  if (!board.strokes) return;
  const { before, places } = board.strokes;
  board.strokes = null;
  const next = board.history.present;
  board.history.present = before;
  if (kept && places.length) board.act("paint", next, { squares: places, value: board.brush });
  board.render();
}
