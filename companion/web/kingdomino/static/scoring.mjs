// @ts-check
/**
 * Territories and their points, counted at once; the server's score is the one that holds.
 * Source: Kingdomino, "Spielende"; giants: Age of Giants, "Ankunft der Giganten".
 */

import { parseSquare } from "./notation.mjs";

/**
 * @typedef {import("./types.mjs").Territory} Territory
 * @typedef {import("./types.mjs").Place} Place
 */

/**
 * All territories, most points first, then the larger ones, then from the top left.
 * @param {string[][]} rows
 * @returns {Territory[]}
 */
export function territoriesOf(rows) {
  const squares = rows.map((row) => row.map((cell) => parseSquare(cell)));
  const seen = rows.map((row) => row.map(() => false));
  /** @type {Territory[]} */
  const found = [];
  for (let row = 0; row < rows.length; row++) {
    for (let column = 0; column < rows[0].length; column++) {
      const terrain = squares[row][column]?.terrain;
      if (!terrain || seen[row][column]) continue;
      seen[row][column] = true;
      /** @type {Place[]} */
      const joined = [[row, column]];
      for (const [r, c] of joined) { // grows while it is walked
        for (const [y, x] of [[r - 1, c], [r, c - 1], [r, c + 1], [r + 1, c]]) {
          if (squares[y]?.[x]?.terrain !== terrain || seen[y][x]) continue;
          seen[y][x] = true;
          joined.push([y, x]);
        }
      }
      joined.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      let [crowns, covered] = [0, 0];
      for (const [r, c] of joined) {
        const square = squares[r][c];
        covered += square?.giants ?? 0;
        crowns += (square?.crowns ?? 0) - (square?.giants ?? 0);
      }
      const points = crowns * joined.length;
      found.push({ terrain, squares: joined, crowns, covered, points });
    }
  }
  return found.sort((a, b) => b.points - a.points || b.squares.length - a.squares.length);
}

/** @param {Territory[]} territories */
export function pointsOf(territories) {
  return territories.reduce((sum, territory) => sum + territory.points, 0);
}
