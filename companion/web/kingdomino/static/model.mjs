// @ts-check
/** What can be done to a kingdom; every function gives a new snapshot and changes nothing. */

import { shiftedFrame, turnedFrame } from "./frame.mjs";
import { CASTLE, EMPTY, MAX_SIDE, parseSquare, squareText } from "./notation.mjs";

/**
 * @typedef {import("./types.mjs").Snapshot} Snapshot
 * @typedef {import("./types.mjs").Place} Place
 * @typedef {import("./types.mjs").Side} Side
 */

/**
 * @param {Snapshot} snapshot
 * @param {Place} place
 */
export function holds({ rows }, [row, column]) {
  return row >= 0 && column >= 0 && row < rows.length && column < rows[0].length;
}

/**
 * The snapshot with these squares set, which settles them.
 * @param {Snapshot} snapshot
 * @param {Place[]} places
 * @param {string} value
 * @returns {Snapshot}
 */
export function withSquares(snapshot, places, value) {
  const rows = snapshot.rows.map((row) => [...row]);
  const settled = snapshot.settled.map((row) => [...row]);
  for (const place of places) {
    if (!holds(snapshot, place) || !parseSquare(value)) continue;
    rows[place[0]][place[1]] = value;
    settled[place[0]][place[1]] = true;
  }
  return { ...snapshot, rows, settled };
}

/**
 * The snapshot with a square that a person found right.
 * @param {Snapshot} snapshot
 * @param {Place} place
 */
export function confirmed(snapshot, place) {
  return withSquares(snapshot, [place], snapshot.rows[place[0]][place[1]]);
}

/**
 * One more empty line on a side, up to 9.
 * @param {Snapshot} snapshot
 * @param {Side} side
 * @returns {Snapshot}
 */
export function withLine(snapshot, side) {
  const { rows, frame } = snapshot;
  const across = side === "top" || side === "bottom";
  if ((across ? rows.length : rows[0].length) >= MAX_SIDE) return snapshot;
  const first = side === "top" || side === "left";
  return {
    rows: extended(rows, across, first, EMPTY),
    settled: extended(snapshot.settled, across, first, false),
    frame: first ? shiftedFrame(frame, across ? 1 : 0, across ? 0 : 1) : frame,
  };
}

/**
 * Without the line on a side; the last line stays.
 * @param {Snapshot} snapshot
 * @param {Side} side
 * @returns {Snapshot}
 */
export function withoutLine(snapshot, side) {
  const { rows, frame } = snapshot;
  const across = side === "top" || side === "bottom";
  if ((across ? rows.length : rows[0].length) <= 1) return snapshot;
  const first = side === "top" || side === "left";
  return {
    rows: shortened(rows, across, first),
    settled: shortened(snapshot.settled, across, first),
    frame: first ? shiftedFrame(frame, across ? -1 : 0, across ? 0 : -1) : frame,
  };
}

/**
 * The squares moved by one towards a side; nothing moves where that would lose a square.
 * @param {Snapshot} snapshot
 * @param {Side} side
 * @returns {Snapshot}
 */
export function moved(snapshot, side) {
  const { rows } = snapshot;
  const line = {
    top: rows[0],
    bottom: rows[rows.length - 1],
    left: rows.map((row) => row[0]),
    right: rows.map((row) => row[row.length - 1]),
  }[side];
  if (line.some((cell) => cell !== EMPTY)) return snapshot;
  const opposite = /** @type {Record<Side, Side>} */ ({
    top: "bottom", bottom: "top", left: "right", right: "left",
  })[side];
  const across = side === "top" || side === "bottom";
  const first = side === "top" || side === "left";
  // Shortened before extended, so that a board of the largest size moves too.
  if ((across ? rows.length : rows[0].length) === 1) return snapshot;
  const shorter = {
    rows: shortened(rows, across, first),
    settled: shortened(snapshot.settled, across, first),
    frame: first
      ? shiftedFrame(snapshot.frame, across ? -1 : 0, across ? 0 : -1)
      : snapshot.frame,
  };
  return withLine(shorter, opposite);
}

/**
 * Turned by 90 degrees clockwise.
 * @param {Snapshot} snapshot
 * @returns {Snapshot}
 */
export function turned({ rows, settled, frame }) {
  return {
    rows: clockwise(rows),
    settled: clockwise(settled),
    frame: turnedFrame(frame, rows.length),
  };
}

/**
 * Every square empty.
 * @param {Snapshot} snapshot
 * @returns {Snapshot}
 */
export function cleared(snapshot) {
  return {
    ...snapshot,
    rows: snapshot.rows.map((row) => row.map(() => EMPTY)),
    settled: snapshot.settled.map((row) => row.map(() => true)),
  };
}

/**
 * What a key does to a square: a letter sets the terrain, a digit the crowns, `!` the next number
 * of giants. Null for a key that does nothing.
 * @param {string} cell
 * @param {string} key
 * @returns {string | null}
 */
export function afterKey(cell, key) {
  const square = parseSquare(cell);
  const letter = key.toLowerCase();
  if (!square) return null;
  if (key === "Delete" || key === "Backspace" || key === ".") return EMPTY;
  if (letter === "c") return CASTLE;
  if (/^[wflgsm]$/.test(letter)) return letter === square.terrain ? null : letter;
  if (square.terrain === null) return null;
  if (/^[0-3]$/.test(key)) return squareText(square.terrain, Number(key), square.giants);
  if (key === "!") {
    return squareText(square.terrain, square.crowns, (square.giants + 1) % (square.crowns + 1));
  }
  return null;
}

/**
 * @template T
 * @param {T[][]} table
 * @param {boolean} across
 * @param {boolean} first
 * @param {T} filling
 * @returns {T[][]}
 */
function extended(table, across, first, filling) {
  if (!across) return table.map((row) => (first ? [filling, ...row] : [...row, filling]));
  const line = table[0].map(() => filling);
  return first ? [line, ...table] : [...table, line];
}

/**
 * @template T
 * @param {T[][]} table
 * @param {boolean} across
 * @param {boolean} first
 * @returns {T[][]}
 */
function shortened(table, across, first) {
  const [start, end] = first ? [1, undefined] : [0, -1];
  return across ? table.slice(start, end) : table.map((row) => row.slice(start, end));
}

/**
 * @template T
 * @param {T[][]} table
 * @returns {T[][]}
 */
function clockwise(table) {
  return table[0].map((_, column) => table.map((row) => row[column]).reverse());
}
