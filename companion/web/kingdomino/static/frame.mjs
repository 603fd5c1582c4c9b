// @ts-check
/** Where the board lies on the lattice of the photo, through turns and added lines. */

/**
 * @typedef {import("./types.mjs").Frame} Frame
 * @typedef {import("./types.mjs").Place} Place
 * @typedef {import("./types.mjs").Point} Point
 */

/** @type {[number, number, number, number][]} */
const TURNS = [
  [1, 0, 0, 1],
  [0, -1, 1, 0],
  [-1, 0, 0, -1],
  [0, 1, -1, 0],
];

/** @type {Frame} */
export const AS_READ = { turns: 0, row: 0, column: 0 };

/**
 * The lattice row and column of a square of the board.
 * @param {Frame} frame
 * @param {Place} place
 * @returns {Place}
 */
export function latticePlace(frame, [row, column]) {
  const [a, b, c, d] = TURNS[frame.turns];
  return [a * row + b * column + frame.row, c * row + d * column + frame.column];
}

/**
 * The lattice point (x, y) of a point of the board, whole numbers at the corners of squares.
 * @param {Frame} frame
 * @param {Point} point
 * @returns {Point}
 */
export function latticePoint(frame, [x, y]) {
  const [row, column] = latticePlace(frame, [y - 0.5, x - 0.5]);
  return [column + 0.5, row + 0.5];
}

/**
 * The frame after so many rows and columns were added at the top and the left.
 * @param {Frame} frame
 * @param {number} rows
 * @param {number} columns
 * @returns {Frame}
 */
export function shiftedFrame(frame, rows, columns) {
  const [row, column] = latticePlace(frame, [-rows, -columns]);
  return { turns: frame.turns, row, column };
}

/**
 * The frame after a board of so many rows was turned clockwise.
 * @param {Frame} frame
 * @param {number} height
 * @returns {Frame}
 */
export function turnedFrame(frame, height) {
  const [row, column] = latticePlace(frame, [height - 1, 0]);
  return { turns: (frame.turns + 1) % 4, row, column };
}
