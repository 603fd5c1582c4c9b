// @ts-check
/** What a move would bring, at once; the points that count are those of the server. */

import { neighbours, windows } from "./hollows.mjs";

/**
 * @typedef {import("./hollows.mjs").BoardShape} BoardShape
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
