// @ts-check
/** The notation of squares and kingdoms, as in the rules core: `w w1 c/m3!! . f`. */

/** @typedef {import("./types.mjs").Square} Square */

export const TERRAINS = ["w", "f", "l", "g", "s", "m"];
export const MAX_CROWNS = 3;
export const MAX_SIDE = 9;
export const EMPTY = ".";
export const CASTLE = "c";

/**
 * The square of a notation; null for any other text.
 * @param {string} text
 * @returns {Square | null}
 */
export function parseSquare(text) {
  if (text === EMPTY || text === CASTLE) {
    return { terrain: null, crowns: 0, giants: 0, castle: text === CASTLE };
  }
  const found = /^([wflgsm])([123]?)(!{0,3})$/.exec(text);
  if (!found) return null;
  const [crowns, giants] = [Number(found[2] || 0), found[3].length];
  return giants > crowns ? null : { terrain: found[1], crowns, giants, castle: false };
}

/**
 * @param {string} terrain
 * @param {number} crowns
 * @param {number} [giants]
 */
export function squareText(terrain, crowns, giants = 0) {
  return `${terrain}${crowns || ""}${"!".repeat(Math.min(giants, crowns))}`;
}

/**
 * Rows of squares; null where the text is no kingdom or has more than 9 rows or columns.
 * @param {string} text
 * @returns {string[][] | null}
 */
export function parseKingdom(text) {
  const rows = text.split("/").map((line) => line.trim().split(/\s+/));
  const width = rows[0].length;
  const fits = rows.length <= MAX_SIDE && width <= MAX_SIDE;
  const good = rows.every((row) => row.length === width && row.every((cell) => parseSquare(cell)));
  return fits && good ? rows : null;
}

/** @param {string[][]} rows */
export function formatKingdom(rows) {
  return rows.map((row) => row.join(" ")).join("/");
}
