// @ts-check
/**
 * Types that several modules share; nothing here runs.
 *
 * @typedef {[number, number]} Place row and column, from 0 at the top left
 * @typedef {import("../../shell/static/gestures.mjs").Point} Point
 * @typedef {{terrain: string | null, crowns: number, giants: number, castle: boolean}} Square
 * @typedef {{turns: number, row: number, column: number}} Frame where the board lies on the lattice
 *   that was read: quarter turns, and the lattice place of its square (0, 0)
 * @typedef {{rows: string[][], settled: boolean[][], frame: Frame}} Snapshot a kingdom as notation
 *   of squares, which of them a person set or confirmed, and its place on the photo
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
 * @typedef {{id: string, words: Words, photo: Photo | null, reading: Reading | null}} Dossier
 *   what changes rarely and is sent once
 * @typedef {import("../../shell/static/sync.mjs").Answer} Answer
 * @typedef {{kingdom: string, settled: string, frame: [number, number, number]}} Step
 * @typedef {Step & {revision: number, past?: Step[], setsCorners?: boolean,
 *   answers: Answer | null, score: Score | null, notice: string | null, title: string | null,
 *   colour: string | null, dossierId: string, dossier?: Dossier | null}} State what comes
 *   down; ``past`` is what the kingdom was before, for a board that is new
 * @typedef {import("../../shell/static/sync.mjs").Done} Done a ``kind``, ``squares`` and a ``value``
 * @typedef {{client: string, seq: number, base: number, has: string, kingdom: string,
 *   settled: string, frame: [number, number, number], done: Done[], corners: Point[] | null,
 *   grid: [number, number] | null}} Change what goes up
 * @typedef {import("../../shell/static/viewport.mjs").Box} Box
 */
export {};
