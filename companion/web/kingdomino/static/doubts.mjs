// @ts-check
/** What the photo leaves in doubt, and what else it may show. */

import { latticePlace } from "./frame.mjs";
import { parseSquare } from "./notation.mjs";

/**
 * @typedef {import("./types.mjs").Snapshot} Snapshot
 * @typedef {import("./types.mjs").Reading} Reading
 * @typedef {import("./types.mjs").Place} Place
 */

/**
 * What was read on a square of the board; undefined outside the lattice.
 * @param {Snapshot} snapshot
 * @param {Reading | null} reading
 * @param {Place} place
 */
export function readAt(snapshot, reading, place) {
  const [row, column] = latticePlace(snapshot.frame, place);
  return reading?.rows[row]?.[column];
}

/**
 * The squares that still deserve a look, row by row.
 * @param {Snapshot} snapshot
 * @param {Reading | null} reading
 * @returns {Place[]}
 */
export function doubtsOf(snapshot, reading) {
  if (!reading) return [];
  return snapshot.settled.flatMap((row, r) =>
    row.flatMap((settled, c) => {
      const place = /** @type {Place} */ ([r, c]);
      return !settled && readAt(snapshot, reading, place)?.doubtful ? [place] : [];
    }),
  );
}

/**
 * Other squares that the photo may show there, the more probable first.
 * @param {Snapshot} snapshot
 * @param {Reading | null} reading
 * @param {Place} place
 * @returns {string[]}
 */
export function offersAt(snapshot, reading, place) {
  const read = readAt(snapshot, reading, place);
  const now = snapshot.rows[place[0]][place[1]];
  const labels = read ? [read.label, read.runnerUp] : [];
  return labels.filter(
    /** @returns {label is string} */ (label) =>
      label !== null && label !== now && parseSquare(label) !== null,
  );
}

/**
 * The doubt after a place, round to the first; null where there is none.
 * @param {Place[]} doubts
 * @param {Place | null} place
 * @param {1 | -1} [step]
 * @returns {Place | null}
 */
export function neighbourDoubt(doubts, place, step = 1) {
  if (!doubts.length) return null;
  if (!place) return doubts[0];
  const order = step === 1 ? doubts : [...doubts].reverse();
  const beyond = order.find(
    ([row, column]) => step * (row - place[0] || column - place[1]) > 0,
  );
  return beyond ?? order[0];
}
