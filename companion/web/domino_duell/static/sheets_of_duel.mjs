// @ts-check
/** What stands under the board, as markup: hints, what a move brings, the pad of 64 stones. */

import { button, quoted } from "../../shell/static/dom.mjs";
import { STONES, drawn, picture, pieceName } from "./stones.mjs";
import { boundsOf, middleOf } from "./hollows.mjs";

/**
 * @typedef {(code: string, values?: Record<string, string | number>) => string} Say
 * @typedef {import("./points.mjs").Move} Move
 * @typedef {import("./hollows.mjs").BoardShape} BoardShape
 * @typedef {{chosen: string | null, focus: string, pending: string | null, lit: Set<string>,
 *   takeable: Set<string>, last: string | null, doubtful: Set<string>,
 *   offered: Set<string>, box: {x: number, y: number, width: number, height: number}}} Marks
 */

/**
 * The board with all that lies on it.
 * @param {Say} say
 * @param {BoardShape} shape
 * @param {Record<string, string>} stones
 * @param {Marks} marks
 */
export function boardMarkup(say, shape, stones, marks) {
  const { box } = marks;
  const wood = boundsOf(shape);
  const hollows = shape.hollows.map((hollow) => {
    const [x, y] = middleOf(hollow);
    const piece = stones[hollow.name];
    const looks = ["hollow"];
    if (hollow.name === marks.chosen) looks.push("chosen");
    if (marks.lit.has(hollow.name)) looks.push("lit");
    if (marks.takeable.has(hollow.name)) looks.push("takeable");
    if (hollow.name === marks.last) looks.push("last");
    if (hollow.name === marks.pending) looks.push("pending");
    if (marks.doubtful.has(hollow.name)) looks.push("doubtful");
    const name = say("hollow", { hollow: hollow.name, piece: pieceName(say, piece) });
    const ground = hollow.middle ? '<circle class="start" r="46"/>' : "";
    const offer = marks.offered.has(hollow.name) ? '<circle class="offer" r="17"/>' : "";
    return (
      `<g class="${looks.join(" ")}" data-hollow="${hollow.name}" role="button" ` +
      `tabindex="${hollow.name === marks.focus ? 0 : -1}" aria-label="${quoted(name)}" ` +
      `aria-pressed="${hollow.name === marks.chosen}" transform="translate(${x} ${y.toFixed(1)})">` +
      `<circle class="hole" r="40"/>${ground}${piece ? drawn(piece) : offer}` +
      '<circle class="mark" r="47"/></g>'
    );
  });
  return (
    `<svg class="duel-board" viewBox="${box.x} ${box.y} ${box.width} ${box.height}" role="group" ` +
    `aria-label="${quoted(say("board.name"))}"><rect class="wood" x="${wood.x}" y="${wood.y}" ` +
    `width="${wood.width}" height="${wood.height}" rx="60"/>${hollows.join("")}</svg>`
  );
}

/**
 * The pad of 64 stones; those that lie on the board are off.
 * @param {Say} say
 * @param {Set<string>} lying
 * @param {Set<string>} pressed
 */
export function pad(say, lying, pressed) {
  const keys = STONES.map((stone) => button("stone", picture(stone), {
    name: pieceName(say, stone),
    value: stone,
    pressed: pressed.has(stone),
    off: lying.has(stone),
    look: "key",
  }));
  return `<div class="keys" role="group" aria-label="${quoted(say("pad.name"))}">${keys.join("")}</div>`;
}

/**
 * What a move would bring and why, or why it is not allowed.
 * @param {Say} say
 * @param {Move} move
 */
export function moveLine(say, move) {
  if (move.reason) return `<p class="why no" role="status">${say(`refused.${move.reason}`)}</p>`;
  const count = (/** @type {string} */ kind) => move.groups.filter((each) => each.kind === kind).length;
  const parts = [];
  for (const kind of ["quadruple", "triple"]) {
    const many = count(kind);
    if (many) parts.push(say(`groups.${kind}.${many === 1 ? "one" : "several"}`, { count: many }));
  }
  const touches = say(`touches.${move.touched.length === 1 ? "one" : "several"}`, {
    count: move.touched.length });
  const sum = move.groups.reduce((total, { kind }) => total + (kind === "triple" ? 1 : 3), 0);
  const twice = move.edge ? " × 2" : "";
  const why = [parts.join(" + "), touches, ...(move.edge ? [say("edge.double")] : [])].join(", ");
  return (
    `<p class="why" role="status"><b class="brings">${move.points}</b> ` +
    `<span>${sum} × ${move.touched.length}${twice}: ${why}</span></p>`
  );
}

/**
 * @param {Say} say
 * @param {string} title
 * @param {string} [more]
 */
export function head(say, title, more = "") {
  const close = button("close", '<span aria-hidden="true">×</span>', {
    name: say("close"), look: "bare" });
  return `<div class="duel-head"><h2>${quoted(title)}</h2>${more}${close}</div>`;
}

/**
 * The moves that the helper knows, best first.
 * @param {Say} say
 * @param {[string, string, number][]} moves
 */
export function movesList(say, moves) {
  if (!moves.length) return `<p class="soft">${say("moves.none")}</p>`;
  const lines = moves.map(([stone, hollow, points]) => {
    const text = say(points === 1 ? "points.one" : "points.several", { count: points });
    const name = say("moves.each", { piece: pieceName(say, stone), hollow, points: text });
    return button("try", `${picture(stone)}<b>${points}</b><span class="soft">${hollow}</span>`, {
      value: `${hollow} ${stone}`, name });
  });
  return `<h2>${say("moves.title")}</h2><div class="chips">${lines.join("")}</div>`;
}

/**
 * Stones that a photo shows and the board has not.
 * @param {Say} say
 * @param {[string, string, boolean][]} seen
 */
export function seenList(say, seen) {
  if (!seen.length) return `<p class="soft">${say("photo.nothing")}</p>`;
  const lines = seen.map(([hollow, piece, doubtful]) => {
    const name = say(doubtful ? "photo.doubt" : "photo.each", {
      hollow, piece: pieceName(say, piece) });
    return button("try", `${picture(piece)}<span>${hollow}${doubtful ? " ?" : ""}</span>`, {
      value: `${hollow} ${piece}`, name, look: doubtful ? "doubtful" : "" });
  });
  return `<h2>${say("photo.title")}</h2><div class="chips">${lines.join("")}</div>`;
}
