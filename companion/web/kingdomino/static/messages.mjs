// @ts-check
/** What goes down and up, and the types that several modules share. */

import { cellsOf } from "./history.mjs";
import { AS_READ, EMPTY, formatKingdom, parseKingdom } from "./kingdom.mjs";

/**
 * @typedef {import("../../shell/static/wire.mjs").Answer} Answer
 * @typedef {import("../../shell/static/window.mjs").Box} Box
 * @typedef {import("../../shell/static/fingers.mjs").Point} Point
 */

/**
 * Types that several modules share; nothing here runs.
 *
 * @typedef {[number, number]} Place row and column, from 0 at the top left
 * @typedef {{terrain: string | null, crowns: number, giants: number, castle: boolean,
 *   piece: string}} Square ``piece`` is that of The Court as in the notation, "" without one
 * @typedef {{turns: number, row: number, column: number}} Frame where the board lies on the lattice
 *   that was read: quarter turns, and the lattice place of its square (0, 0)
 * @typedef {{rows: string[][], settled: number[][], frame: Frame}} Snapshot a kingdom as notation
 *   of squares, what people said of them (0 nothing, 1 set or confirmed, 2 insisted on although the
 *   box says otherwise), and its place on the photo
 * @typedef {"top" | "right" | "bottom" | "left"} Side
 * @typedef {{terrain: string, squares: Place[], crowns: number, covered: number, points: number}}
 *   Territory
 * @typedef {{name: string, points: number, squares: Place[]}} Bonus
 * @typedef {{points: number, territories: Territory[], bonuses: Bonus[]}} Score
 * @typedef {{label: string, runnerUp: string | null, doubtful: boolean, why?: string}} Read
 *   ``why`` says in words what makes it doubtful, where it is not the label alone
 * @typedef {{url: string, width: number, height: number}} Photo
 * @typedef {number[]} Homography nine numbers, row by row
 * @typedef {{rows: Read[][], homography: Homography}} Reading
 * @typedef {Record<string, string>} Words
 * @typedef {{id: string, words: Words, symbols: string, photo: Photo | null,
 *   reading: Reading | null}} Dossier what changes rarely and is sent once; ``symbols`` are the
 *   drawings of terrains and crowns
 * @typedef {{kingdom: string, settled: string, frame: [number, number, number]}} Past
 * @typedef {{before: Past, after: Past} | {change: number}} PastStep what this device did, or the
 *   number of the change by which it had the squares read anew
 * @typedef {Record<string, {offers: string[], asked: boolean, stands?: string}>} Open what is to be
 *   looked at, by the place on the lattice: what else may lie there, and whether the box says
 *   otherwise than what ``stands``
 * @typedef {Past & {revision: number, past?: PastStep[], open?: Open, mine?: boolean,
 *   of?: string, setsCorners?: boolean, paints?: boolean,
 *   answers: Answer | null, score: Score | null, notice: string | null, title: string | null,
 *   colour: string | null, dossierId: string, dossier?: Dossier | null, court?: boolean}} State what
 *   comes down; ``past`` is what was done before, for a board that is new; ``mine`` says that the
 *   last change is of this device
 * @typedef {{base: number, has: string, kingdom: string, settled: string,
 *   frame: [number, number, number], corners: Point[] | null, grid: [number, number] | null}} Built
 * @typedef {import("../../shell/static/wire.mjs").Message & Built} Change what goes up; what was done
 *   has a ``kind``, ``squares`` and a ``value``
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
 * @param {Past} past
 * @returns {Snapshot}
 */
export function snapshotOf({ kingdom, settled, frame }) {
  const rows = parseKingdom(kingdom) ?? [[EMPTY]];
  const width = rows[0].length;
  const [turns, row, column] = frame ?? [AS_READ.turns, AS_READ.row, AS_READ.column];
  return {
    rows,
    settled: rows.map((cells, r) => cells.map((_, c) => Number(settled[r * width + c] ?? 0))),
    frame: { turns, row, column },
  };
}

/**
 * What was done before, as the board takes it back.
 * @param {State} state
 * @returns {(import("./history.mjs").Step | import("./history.mjs").ReadAnew)[]}
 */
export function pastOf({ past = [] }) {
  return past.map((step) => "change" in step
    ? step : { before: snapshotOf(step.before), after: snapshotOf(step.after) });
}

/**
 * What is to be looked at, with what stands there now.
 * @param {State} state
 * @returns {Open | undefined}
 */
export function openOf(state) {
  if (!state.open) return undefined;
  const cells = cellsOf(snapshotOf(state));
  return Object.fromEntries(Object.entries(state.open).map(
    ([place, each]) => [place, { ...each, stands: cells.get(place)?.value }]));
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
 * What goes up beside the numbers.
 * @param {number} base the revision that the kingdom is built on
 * @param {Dossier} dossier
 * @param {Snapshot} snapshot
 * @param {import("./corners.mjs").Corners | null} corners to be read again
 * @returns {Built}
 */
export function changeOf(base, dossier, { rows, settled, frame }, corners) {
  return {
    base,
    has: dossier.id,
    kingdom: formatKingdom(rows),
    settled: settled.flat().join(""),
    frame: [frame.turns, frame.row, frame.column],
    corners: corners
      ? corners.corners.map(([x, y]) => [Math.round(x * 10) / 10, Math.round(y * 10) / 10])
      : null,
    grid: corners ? [corners.rows, corners.columns] : null,
  };
}
