// @ts-check
/** Dominoes: their text, their pips, and how they are drawn. */

/**
 * @typedef {{low: number, high: number}} Tile
 */

const [L, C, R] = [1, 2, 4];
const SIDES = L | R;
const ALL = L | C | R;

/** Rows of pips from the top, each a sum of left, centre and right. */
export const PIPS = [
  [],
  [0, C, 0],
  [R, 0, L],
  [R, C, L],
  [SIDES, 0, SIDES],
  [SIDES, C, SIDES],
  [SIDES, SIDES, SIDES],
  [SIDES, ALL, SIDES],
  [ALL, SIDES, ALL],
  [ALL, ALL, ALL],
  [ALL, SIDES, SIDES, ALL],
  [ALL, SIDES, C, SIDES, ALL],
  [ALL, ALL, ALL, ALL],
  [ALL, SIDES, ALL, SIDES, ALL],
  [ALL, ALL, SIDES, ALL, ALL],
  [ALL, ALL, ALL, ALL, ALL],
  [ALL, SIDES, ALL, ALL, SIDES, ALL],
  [ALL, ALL, SIDES, C, SIDES, ALL, ALL],
  [ALL, ALL, ALL, ALL, ALL, ALL],
];

/** @param {string} text @returns {Tile} */
export function parseTile(text) {
  const [low, high] = text.split("|").map(Number);
  return tileOf(low, high);
}

/** @param {number} one @param {number} other @returns {Tile} */
export function tileOf(one, other) {
  return { low: Math.min(one, other), high: Math.max(one, other) };
}

/** @param {Tile} tile */
export function formatTile({ low, high }) {
  return `${low}|${high}`;
}

/**
 * How people say it.
 * @param {Tile} tile
 */
export function nameOf({ low, high }) {
  return `${low}-${high}`;
}

/** @param {Tile} a @param {Tile} b */
export function sameTile(a, b) {
  return a.low === b.low && a.high === b.high;
}

/**
 * The pips of a half in a square of 36 units, its corner at (x, 0).
 * @param {number} number
 * @param {number} x
 */
export function half(number, x) {
  const rows = PIPS[number] ?? [];
  const radius = rows.length > 5 ? 2.2 : rows.length > 3 ? 2.7 : 3.5;
  return rows
    .map((row, index) => {
      const y = rows.length === 1 ? 18 : 6.5 + (23 * index) / (rows.length - 1);
      return [L, C, R]
        .map((bit, column) =>
          row & bit ? `<circle cx="${x + 8 + 10 * column}" cy="${y.toFixed(1)}" r="${radius}"/>` : "",
        )
        .join("");
    })
    .join("");
}

/**
 * A domino lying down, 74×38 units; nothing in it for screen readers.
 * @param {Tile} tile
 */
export function drawTile({ low, high }) {
  return (
    '<svg class="tile" viewBox="0 0 74 38" aria-hidden="true" focusable="false">' +
    '<rect class="face" x="1" y="1" width="72" height="36" rx="5"/>' +
    '<path class="bar" d="M37 6v26"/>' +
    `<g class="pips">${half(low, 1)}${half(high, 37)}</g></svg>`
  );
}
