// @ts-check
/** Moves of the cases on standard input, a JSON list, as JSON. */

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = `${pathToFileURL(String(process.env.WEB)).href}/domino_duell/static`;
const { moveOf, shapeOf } = await import(`${folder}/model.mjs`);

const cases = JSON.parse(readFileSync(0, "utf8"));
const answers = cases.map(({ rows, stones, stone, hollow, edge }) =>
  moveOf(shapeOf(rows), stones, stone, hollow, edge));
console.log(JSON.stringify(answers));
