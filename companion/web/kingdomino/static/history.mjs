// @ts-check
/**
 * What a person did on the board, and how it is taken back: only what that step changed, and only
 * where nobody has set something else since.
 */

import { AS_READ, CASTLE, EMPTY, MAX_SIDE, latticePlace, turned } from "./kingdom.mjs";

/**
 * @typedef {import("./messages.mjs").Place} Place
 * @typedef {import("./messages.mjs").Snapshot} Snapshot
 * @typedef {{before: Snapshot, after: Snapshot}} Step
 * @typedef {{change: number}} ReadAnew a change in the game by which the squares were read anew; the
 *   server takes it back
 * @typedef {{value: string, settled: number}} Cell
 * @typedef {{top: number, left: number, bottom: number, right: number}} Edges
 */

export class History {
  /**
   * @param {Snapshot} present
   * @param {(Step | ReadAnew)[]} [past] the oldest first
   */
  constructor(present, past = []) {
    this.past = past;
    this.present = present;
    /** @type {Step[]} */
    this.future = [];
  }

  /**
   * This person did something.
   * @param {Snapshot} next
   */
  push(next) {
    this.past.push({ before: this.present, after: next });
    this.present = next;
    this.future = [];
  }

  /**
   * Somebody else did something.
   * @param {Snapshot} next
   */
  arrive(next) {
    this.present = next;
  }

  /**
   * Takes back the last step of which something stands.
   * @returns {Step | ReadAnew | null} the step; null where there is none
   */
  undo() {
    for (let step = this.past.pop(); step; step = this.past.pop()) {
      if ("change" in step) return step;
      if (this.#go(step.after, step.before)) {
        this.future.push(step);
        return step;
      }
    }
    return null;
  }

  /**
   * Does again what was taken back last.
   * @returns {Step | null}
   */
  redo() {
    for (let step = this.future.pop(); step; step = this.future.pop()) {
      if (this.#go(step.before, step.after)) {
        this.past.push(step);
        return step;
      }
    }
    return null;
  }

  /**
   * @param {Snapshot} from
   * @param {Snapshot} to
   */
  #go(from, to) {
    const next = withWay(this.present, from, to);
    const changed = JSON.stringify(next) !== JSON.stringify(this.present);
    this.present = next;
    return changed;
  }
}

/**
 * The places on the lattice on which two snapshots differ.
 * @param {Snapshot} one
 * @param {Snapshot} other
 * @returns {Set<string>}
 */
export function differences(one, other) {
  const [a, b] = [cellsOf(one), cellsOf(other)];
  const places = [...new Set([...a.keys(), ...b.keys()])];
  return new Set(places.filter((place) => !same(a.get(place), b.get(place))));
}

/**
 * The present with the way from one snapshot to another: each square, edge and turn that differs
 * between them, if it still is as in the first.
 * @param {Snapshot} present
 * @param {Snapshot} from
 * @param {Snapshot} to
 * @returns {Snapshot}
 */
export function withWay(present, from, to) {
  const cells = cellsOf(present);
  const [before, after] = [cellsOf(from), cellsOf(to)];
  for (const place of differences(from, to)) {
    const wanted = after.get(place) ?? { value: EMPTY, settled: 0 };
    // There is one castle: where somebody has set it meanwhile, it stays there.
    const second = wanted.value === CASTLE && [...cells].some(([key, { value }]) =>
      value === CASTLE && ![before, after].some((side) => side.get(key)?.value === CASTLE));
    if (same(cells.get(place), before.get(place)) && !second) cells.set(place, wanted);
  }
  const [now, old, new_] = [edgesOf(present), edgesOf(from), edgesOf(to)];
  const edges = { ...now };
  for (const side of /** @type {(keyof Edges)[]} */ (Object.keys(now)))
    if (now[side] === old[side]) edges[side] = new_[side];
  for (const [place, { value, settled }] of cells) {
    if (value === EMPTY && !settled) continue;
    const [row, column] = place.split(",").map(Number);
    edges.top = Math.min(edges.top, row);
    edges.bottom = Math.max(edges.bottom, row);
    edges.left = Math.min(edges.left, column);
    edges.right = Math.max(edges.right, column);
  }
  const turns = (present.frame.turns + to.frame.turns - from.frame.turns + 4) % 4;
  const fits = edges.bottom - edges.top < MAX_SIDE && edges.right - edges.left < MAX_SIDE;
  return built(cells, fits ? edges : now, turns);
}

/**
 * @param {Map<string, Cell>} cells
 * @param {Edges} edges
 * @param {number} turns
 * @returns {Snapshot}
 */
function built(cells, { top, left, bottom, right }, turns) {
  /** @type {<T>(of: (cell: Cell | undefined) => T) => T[][]} */
  const table = (of) =>
    Array.from({ length: bottom - top + 1 }, (_, r) =>
      Array.from({ length: right - left + 1 }, (_, c) => of(cells.get(`${top + r},${left + c}`))));
  /** @type {Snapshot} */
  let found = {
    rows: table((cell) => cell?.value ?? EMPTY),
    settled: table((cell) => cell?.settled ?? 0),
    frame: { ...AS_READ, row: top, column: left },
  };
  for (let turn = 0; turn < turns; turn++) found = turned(found);
  return found;
}

/**
 * The squares by their places on the lattice, which no turning and no line more or less changes.
 * @param {Snapshot} snapshot
 * @returns {Map<string, Cell>}
 */
export function cellsOf({ rows, settled, frame }) {
  return new Map(rows.flatMap((row, r) => row.map((value, c) => /** @type {[string, Cell]} */ (
    [String(latticePlace(frame, [r, c])), { value, settled: settled[r][c] }]))));
}

/**
 * @param {Snapshot} snapshot
 * @returns {Edges}
 */
function edgesOf({ rows, frame }) {
  const [a, b] = latticePlace(frame, [0, 0]);
  const [c, d] = latticePlace(frame, [rows.length - 1, rows[0].length - 1]);
  return { top: Math.min(a, c), left: Math.min(b, d), bottom: Math.max(a, c), right: Math.max(b, d) };
}

/**
 * Whether two squares are alike; one beyond the edge is empty.
 * @param {Cell | undefined} one
 * @param {Cell | undefined} other
 */
function same(one, other) {
  return (one?.value ?? EMPTY) === (other?.value ?? EMPTY)
    && (one?.settled ?? 0) === (other?.settled ?? 0);
}
