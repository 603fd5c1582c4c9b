// @ts-check
/** Territories of the kingdoms on standard input, a line each, as JSON. */

import { readFileSync } from "node:fs";

import { load } from "./load.mjs";

const { parseKingdom } = await load("notation");
const { territoriesOf } = await load("scoring");

const lines = readFileSync(0, "utf8").trim().split("\n");
console.log(JSON.stringify(lines.map((line) => territoriesOf(parseKingdom(line)))));
