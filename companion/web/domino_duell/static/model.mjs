// @ts-check
/**
 * Hollows, their lines and neighbours, and what a move brings, as in the rules core. No page needed; the
 * points that count are those of the server.
 */

/**
 * @typedef {{name: string, x: number, row: number, middle: boolean, edge: boolean}} Hollow
 * @typedef {{
 *   hollows: Hollow[],
 *   byName: Map<string, Hollow>,
 *   at: (x: number, row: number) => Hollow | undefined,
 * }} BoardShape
 */

export const DIRECTIONS = [[2, 0], [1, 1], [-1, 1]];
const STEPS = [...DIRECTIONS, ...DIRECTIONS.map(([x, row]) => [-x, -row])];
export const PITCH = 100;
const COLUMN = PITCH / 2;
const ROW = (PITCH * Math.sqrt(3)) / 2;

/**
 * @param {string[]} rows a drawing: `o` a hollow, `x` one of the middle
 * @returns {BoardShape}
 */
export function shapeOf(rows) {
  /** @type {Hollow[]} */
  const hollows = [];
  rows.forEach((drawn, row) => {
    let number = 0;
    [...drawn].forEach((mark, x) => {
      if (mark === " ") return;
      number += 1;
      const name = `${String.fromCharCode(97 + row)}${number}`;
      hollows.push({ name, x, row, middle: mark === "x", edge: false });
    });
  });
  const places = new Map(hollows.map((each) => [`${each.x},${each.row}`, each]));
  /** @type {BoardShape} */
  const shape = {
    hollows,
    byName: new Map(hollows.map((each) => [each.name, each])),
    at: (x, row) => places.get(`${x},${row}`),
  };
  for (const each of hollows) each.edge = neighbours(shape, each).length < STEPS.length;
  return shape;
}

/**
 * The up to six hollows around one.
 * @param {BoardShape} shape
 * @param {Hollow} hollow
 */
export function neighbours(shape, { x, row }) {
  const near = STEPS.map(([right, down]) => shape.at(x + right, row + down));
  return near.flatMap((each) => (each ? [each] : []));
}

/**
 * Every so many hollows in a row that hold a certain one, each in its order along the line.
 * @param {BoardShape} shape
 * @param {Hollow} hollow
 * @param {number} size
 * @returns {Hollow[][]}
 */
export function windows(shape, { x, row }, size) {
  const found = [];
  for (const [right, down] of DIRECTIONS) {
    for (let first = 1 - size; first < 1; first += 1) {
      const line = Array.from({ length: size }, (_, k) =>
        shape.at(x + (first + k) * right, row + (first + k) * down));
      if (line.every(Boolean)) found.push(/** @type {Hollow[]} */ (line));
    }
  }
  return found;
}

/**
 * Where the middle of a hollow is drawn.
 * @param {Hollow} hollow
 * @returns {[number, number]}
 */
export function middleOf({ x, row }) {
  return [x * COLUMN, row * ROW];
}

/**
 * What the drawing of all hollows takes up, with a margin.
 * @param {BoardShape} shape
 */
export function boundsOf({ hollows }) {
  const [xs, ys] = [hollows.map((each) => middleOf(each)[0]), hollows.map((each) => middleOf(each)[1])];
  const [left, top] = [Math.min(...xs) - PITCH * 0.75, Math.min(...ys) - PITCH * 0.75];
  return {
    x: left,
    y: top,
    width: Math.max(...xs) + PITCH * 0.75 - left,
    height: Math.max(...ys) + PITCH * 0.75 - top,
  };
}

/**
 * The hollow whose middle is nearest to a point, if it is near enough to be meant.
 * @param {BoardShape} shape
 * @param {[number, number]} point
 */
export function hollowAt(shape, [x, y]) {
  const away = /** @type {(each: Hollow) => number} */ ((each) => {
    const [a, b] = middleOf(each);
    return Math.hypot(a - x, b - y);
  });
  const best = shape.hollows.reduce((a, b) => (away(b) < away(a) ? b : a));
  return away(best) <= PITCH * 0.6 ? best : null;
}

/**
 * The next hollow in the direction of an arrow key; the same one at the end.
 * @param {BoardShape} shape
 * @param {Hollow} hollow
 * @param {string} key
 */
export function nextHollow(shape, { x, row, name }, key) {
  const places = {
    ArrowLeft: [[x - 2, row]],
    ArrowRight: [[x + 2, row]],
    ArrowUp: [[x + 1, row - 1], [x - 1, row - 1]],
    ArrowDown: [[x - 1, row + 1], [x + 1, row + 1]],
  }[key];
  const found = (places ?? []).map(([right, down]) => shape.at(right, down)).find(Boolean);
  return found?.name ?? name;
}

/**
 * @typedef {{kind: "triple" | "quadruple", hollows: string[]}} Group
 * @typedef {{reason: string | null, groups: Group[], touched: string[], edge: boolean,
 *   points: number}} Move `reason` tells why it is not allowed
 */

export const JOKER = "*";
const POINTS = { triple: 1, quadruple: 3 };

/**
 * Whether stones are a triple or a quadruple: each feature all equal or all different.
 * @param {string[]} stones
 */
export function isGroup(stones) {
  return [0, 1, 2].every((feature) => {
    const values = new Set(stones.map((stone) => stone[feature]));
    return values.size === 1 || values.size === stones.length;
  });
}

/**
 * The move of laying a stone on a hollow.
 * @param {BoardShape} shape
 * @param {Record<string, string>} stones what lies on the board, by hollow
 * @param {string} stone
 * @param {string} name of the hollow
 * @param {boolean | null} atEdge set by hand, or null
 * @returns {Move}
 */
export function moveOf(shape, stones, stone, name, atEdge) {
  const hollow = shape.byName.get(name);
  const nothing = { groups: [], touched: [], edge: false, points: 0 };
  if (!hollow) return { ...nothing, reason: "off_board" };
  if (stones[name]) return { ...nothing, reason: "occupied" };
  if (Object.values(stones).includes(stone)) return { ...nothing, reason: "stone_on_board" };
  /** @type {Group[]} */
  const groups = [];
  for (const [kind, size] of /** @type {const} */ ([["quadruple", 4], ["triple", 3]])) {
    for (const line of windows(shape, hollow, size)) {
      const hollows = line.map((each) => each.name);
      const pieces = hollows.map((each) => (each === name ? stone : stones[each]));
      if (pieces.some((piece) => !piece || piece === JOKER) || !isGroup(pieces)) continue;
      const within = groups.some((group) =>
        group.kind === "quadruple" && hollows.every((each) => group.hollows.includes(each)));
      if (!within) groups.push({ kind, hollows });
    }
  }
  if (!groups.length) return { ...nothing, reason: "no_group" };
  const touched = neighbours(shape, hollow).filter((each) => stones[each.name]);
  const edge = atEdge ?? hollow.edge;
  const sum = groups.reduce((total, { kind }) => total + POINTS[kind], 0);
  return {
    reason: null,
    groups,
    touched: touched.map((each) => each.name),
    edge,
    points: sum * touched.length * (edge ? 2 : 1),
  };
}
