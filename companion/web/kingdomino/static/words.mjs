// @ts-check
/** Words in the language that was handed in; the letters of the notation never show. */

import { parseSquare } from "./notation.mjs";

/**
 * @typedef {import("./types.mjs").Words} Words
 * @typedef {import("./types.mjs").Place} Place
 */

/**
 * The text of a code with its {fields} filled in.
 * @param {Words} words
 * @param {string} code
 * @param {Record<string, string | number>} [values]
 */
export function say(words, code, values = {}) {
  const text = words[code] ?? code;
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/**
 * A text that is different for one.
 * @param {Words} words
 * @param {string} code
 * @param {number} count
 */
export function sayCount(words, code, count) {
  return say(words, `${code}.${count === 1 ? "one" : "several"}`, { count });
}

/**
 * A square in words: "Forest, 2 crowns, 1 giant".
 * @param {Words} words
 * @param {string} cell
 */
export function squareName(words, cell) {
  const square = parseSquare(cell);
  if (!square) return say(words, "square.foreign");
  if (square.castle) return say(words, "square.castle");
  if (!square.terrain) return say(words, "square.empty");
  const parts = [say(words, `terrain.${square.terrain}`)];
  if (square.crowns) parts.push(sayCount(words, "crowns", square.crowns));
  if (square.giants) parts.push(sayCount(words, "giants", square.giants));
  return parts.join(", ");
}

/**
 * @param {Words} words
 * @param {Place} place
 */
export function placeName(words, [row, column]) {
  return say(words, "square.place", { row: row + 1, column: column + 1 });
}
