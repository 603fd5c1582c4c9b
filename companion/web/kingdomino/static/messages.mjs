// @ts-check
/** What goes down and up, to and from what the board works with. */

import { AS_READ } from "./frame.mjs";
import { EMPTY, formatKingdom, parseKingdom } from "./notation.mjs";

/**
 * @typedef {import("./types.mjs").Snapshot} Snapshot
 * @typedef {import("./types.mjs").State} State
 * @typedef {import("./types.mjs").Step} Step
 * @typedef {import("./types.mjs").Dossier} Dossier
 * @typedef {import("./types.mjs").Done} Done
 * @typedef {import("./types.mjs").Change} Change
 */

const NOTHING = { answers: null, score: null, notice: null, title: null, colour: null };

/**
 * A state with what it left out.
 * @param {State} state
 * @returns {State}
 */
export function complete(state) {
  return { .../** @type {object} */ (NOTHING), ...state };
}

/**
 * @param {Step} step
 * @returns {Snapshot}
 */
export function snapshotOf({ kingdom, settled, frame }) {
  const rows = parseKingdom(kingdom) ?? [[EMPTY]];
  const width = rows[0].length;
  const [turns, row, column] = frame ?? [AS_READ.turns, AS_READ.row, AS_READ.column];
  return {
    rows,
    settled: rows.map((cells, r) => cells.map((_, c) => settled[r * width + c] === "1")),
    frame: { turns, row, column },
  };
}

/**
 * @param {Snapshot} a
 * @param {Snapshot} b
 */
export function sameSnapshot(a, b) {
  return JSON.stringify(plain(a)) === JSON.stringify(plain(b));
}

/** @param {Snapshot} snapshot */
function plain({ rows, settled, frame }) {
  return [rows, settled, frame.turns, frame.row, frame.column];
}

/**
 * @param {string} client
 * @param {number} seq
 * @param {Done[]} done
 * @param {number} base the revision that the kingdom is built on
 * @param {Dossier} dossier
 * @param {Snapshot} snapshot
 * @param {import("./corners.mjs").Corners | null} corners to be read again
 * @returns {Change}
 */
export function changeOf(client, seq, done, base, dossier, { rows, settled, frame }, corners) {
  return {
    client,
    seq,
    base,
    has: dossier.id,
    kingdom: formatKingdom(rows),
    settled: settled.flat().map(Number).join(""),
    frame: [frame.turns, frame.row, frame.column],
    done,
    corners: corners
      ? corners.corners.map(([x, y]) => [Math.round(x * 10) / 10, Math.round(y * 10) / 10])
      : null,
    grid: corners ? [corners.rows, corners.columns] : null,
  };
}
