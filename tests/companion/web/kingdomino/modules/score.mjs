// @ts-check
/** Territories of the kingdoms on standard input, a line each, as JSON. */

import { readFileSync } from "node:fs";

import { load } from "./load.mjs";

const { parseKingdom, territoriesOf } = await load("kingdom");

const lines = readFileSync(0, "utf8").trim().split("\n");
console.log(JSON.stringify(lines.map((line) => territoriesOf(parseKingdom(line)))));
