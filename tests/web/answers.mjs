// @ts-check
/** What the scripts say of the cases on standard input, in the form of `rules.py`. */

import { readFileSync } from "node:fs";

import { moveOf, shapeOf } from "../../companion/web/domino_duell/static/model.mjs";
import { parseKingdom, territoriesOf } from "../../companion/web/kingdomino/static/kingdom.mjs";
import * as hands from "../../companion/web/pip_dominoes/static/model.mjs";

/** @param {any} case_ */
export function answerToKingdom({ kingdom }) {
  return { kingdom, territories: territoriesOf(/** @type {string[][]} */ (parseKingdom(kingdom))) };
}

/** @param {any} case_ */
export function answerToHand({ hand }) {
  const held = hands.handOf(hand);
  return {
    hand: hands.dataOf(held), doubts: hands.doubts(held), points: hands.points(held, true),
    free: hands.points(held, false),
  };
}

/** @param {any} case_ */
export function answerToMove({ move: _, ...given }) {
  const { rows, stones, stone, hollow, edge } = given;
  const { reason, groups, touched, ...more } = moveOf(shapeOf(rows), stones, stone, hollow, edge);
  const said = groups.map(({ kind, hollows }) => [kind, hollows]);
  const inOrder = (/** @type {any} */ a, /** @type {any} */ b) => (String(a) < String(b) ? -1 : 1);
  const move = reason
    ? { reason }
    : { reason, groups: said.sort(inOrder), touched: touched.sort(), ...more };
  return { ...given, move };
}

/** @param {any} case_ */
export function answerToEnds({ ends }) {
  return { ends, points: hands.endsPoints(ends) };
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const { kingdoms, hands: held, moves, ends } = JSON.parse(readFileSync(0, "utf8"));
  console.log(JSON.stringify({
    kingdoms: kingdoms.map(answerToKingdom),
    hands: held.map(answerToHand),
    moves: moves.map(answerToMove),
    ends: ends.map(answerToEnds),
  }));
}
