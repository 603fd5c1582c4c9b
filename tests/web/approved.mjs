// @ts-check
/**
 * Markup that was looked at and found right, by name: `approved.txt`. After a change that is meant,
 * `APPROVE=1 npm test` writes it anew; the difference is read like code.
 */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";

const PATH = new URL("approved.txt", import.meta.url);
const known = new Map(
  readFileSync(PATH, { encoding: "utf8", flag: "a+" }).split("\n\n").filter(Boolean).map((part) => {
    const [name, ...lines] = part.split("\n");
    return [name, lines.join("\n")];
  }),
);

/** @param {string} name @param {string} markup */
export function approved(name, markup) {
  const text = inOrder(markup).replace(/></g, ">\n<").replace(/\n+/g, "\n") || "(nothing)";
  if (process.env.APPROVE) {
    known.set(name, text);
    writeFileSync(PATH, [...known].sort().map(([key, value]) => `${key}\n${value}`).join("\n\n") + "\n");
  } else assert.equal(text.trim(), known.get(name)?.trim(), name);
}

/** Attributes by name: where markup was brought in bit by bit, they stand as they came. */
function inOrder(/** @type {string} */ markup) {
  return markup.replace(/<(\w+)((?: [\w:-]+(?:="[^"]*")?)+)(\/?)>/g, (_, name, attributes, end) => {
    const each = attributes.match(/ [\w:-]+(?:="[^"]*")?/g).sort();
    return `<${name}${each.join("")}${end}>`;
  });
}
