// @ts-check
/** Stones, the board, and what stands under it, as markup. */

import { button, quoted } from "../../shell/static/markup.mjs";
import { JOKER, boundsOf, middleOf } from "./model.mjs";

/**
 * @typedef {import("./model.mjs").BoardShape} BoardShape
 * @typedef {import("./duel.mjs").DuelBoard} DuelBoard
 * @typedef {import("./model.mjs").Move} Move
 */

/** @type {Record<string, string>} */
const FILLS = { y: "#f2c22e", r: "#cf4034", b: "#3f72c4", g: "#4a9a55" };
/** @type {Record<string, string>} */
const INKS = { w: "#ffffff", k: "#16120e", g: "#8f8f8f", l: "#9fdcf5" };
const DARK = "#16120e";

/** @type {Record<string, string>} */
const RIMS = {
  y: `<circle r="40" fill="none" stroke="${DARK}" stroke-width="3"/>`,
  r: `<circle r="40" fill="none" stroke="${DARK}" stroke-width="6" stroke-dasharray="20.9 20.98"/>`,
  b:
    `<circle r="42.5" fill="none" stroke="${DARK}" stroke-width="2.5"/>` +
    `<circle r="36" fill="none" stroke="${DARK}" stroke-width="2.5"/>`,
  g:
    `<circle r="39" fill="none" stroke="${DARK}" stroke-width="7" stroke-linecap="round" ` +
    'stroke-dasharray="0.1 15.3"/>',
};

/** @type {Record<string, string>} */
const SYMBOLS = {
  c: '<circle r="21"/>',
  m: '<path d="M9 -25A27 27 0 1 0 9 25A31 31 0 0 1 9 -25Z"/>',
  t: '<path d="M0 -25L25 18L-25 18Z"/>',
  s: `<path d="${star(27, 11)}"/>`,
};

/** @type {Record<string, string>} */
const MARKS = {
  w: "",
  k: "",
  g: `<path d="M-13 4H13" stroke="${DARK}" stroke-width="5"/>`,
  l: `<circle r="4.5" cy="3" fill="${DARK}"/>`,
};

/**
 * @param {number} outer
 * @param {number} inner
 */
function star(outer, inner) {
  const points = Array.from({ length: 10 }, (_, k) => {
    const radius = k % 2 ? inner : outer;
    const angle = (Math.PI * k) / 5 - Math.PI / 2;
    return `${(radius * Math.cos(angle)).toFixed(1)} ${(radius * Math.sin(angle)).toFixed(1)}`;
  });
  return `M${points.join("L")}Z`;
}

/**
 * A stone or a joker around (0, 0), 90 across, as SVG.
 * @param {string} piece
 */
export function drawn(piece) {
  if (piece === "*") {
    return (
      `<circle r="45" fill="#e2c69a"/><circle r="40" fill="none" stroke="${DARK}" ` +
      'stroke-width="2.5" stroke-dasharray="4 5"/>'
    );
  }
  const [colour, symbol, ink] = piece;
  const outline = ink === "k" ? "#ffffff" : DARK;
  return (
    `<circle r="45" fill="${FILLS[colour]}"/>${RIMS[colour]}` +
    `<g fill="${INKS[ink]}" stroke="${outline}" stroke-width="3" stroke-linejoin="round">` +
    `${SYMBOLS[symbol]}</g>${MARKS[ink]}`
  );
}

/**
 * The same as a picture of its own.
 * @param {string} piece
 */
export function picture(piece) {
  return `<svg class="piece" viewBox="-47 -47 94 94" aria-hidden="true">${drawn(piece)}</svg>`;
}

/** All stones in the order of the pad: a colour on two rows, each symbol's inks side by side. */
export const STONES = [..."yrbg"].flatMap((colour) =>
  [..."cmts"].flatMap((symbol) => [..."wkgl"].map((ink) => `${colour}${symbol}${ink}`)));

/**
 * A stone in words: "red, circle, white".
 * @param {(code: string, values?: Record<string, string | number>) => string} say
 * @param {string | undefined} piece
 */
export function pieceName(say, piece) {
  if (!piece) return say("empty");
  if (piece === "*") return say("joker");
  const [colour, symbol, ink] = piece;
  return `${say(`colour.${colour}`)}, ${say(`symbol.${symbol}`)}, ${say(`ink.${ink}`)}`;
}

/**
 * @typedef {(code: string, values?: Record<string, string | number>) => string} Say
 * @typedef {{chosen: string | null, focus: string, pending: Set<string>, lit: Set<string>,
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
    if (marks.pending.has(hollow.name)) looks.push("pending");
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
    return button("try", `${picture(stone)}<b>${points}</b> <span class="soft">${hollow}</span>`, {
      value: `${hollow} ${stone}`, name: `${points} ${hollow}: ${name}` });
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
    const shown = `${hollow}${doubtful ? " ?" : ""}`;
    return button("try", `${picture(piece)}<span>${shown}</span>`, {
      value: `${hollow} ${piece}`, name: `${shown}: ${name}`, look: doubtful ? "doubtful" : "" });
  });
  return `<h2>${say("photo.title")}</h2><div class="chips">${lines.join("")}</div>`;
}

/**
 * What stands under the board now.
 * @param {DuelBoard} board
 * @param {import("./model.mjs").Move | null} move
 */
export function sheet(board, move) {
  const { state, say, hand, hollow, lying } = board;
  if (hand) return handSheet(board, hand);
  if (state.phase === "start") return startSheet(board);
  if (hollow && lying[hollow]) return stoneSheet(board, hollow, lying[hollow]);
  if (hollow && state.phase === "play") {
    const title = board.stone ? pieceName(say, board.stone) : say("choose.stone", { hollow });
    const lines = move ? moveLine(say, move) : "";
    const points = move?.points ?? 0;
    const laid = say(points === 1 ? "lay.one" : "lay.several", { count: points });
    const edge = board.edge ?? board.shape.byName.get(hollow)?.edge ?? false;
    const buttons =
      `<div class="row duel-confirm">` +
      button("lay", `<span>${move && !move.reason ? laid : say("lay")}</span>`, {
        look: "main grow", off: !move || Boolean(move.reason) }) +
      `${button("edge", `<span>${say("edge")}</span>`, { pressed: edge })}</div>`;
    const off = new Set(Object.values(lying));
    return head(say, title) + lines + buttons + pad(say, off, new Set([board.stone ?? ""]));
  }
  return idleSheet(board);
}

/** @param {DuelBoard} board */
function idleSheet(board) {
  const { state, say } = board;
  if (state.phase === "over") return "";
  if (board.joker) {
    return (
      `<p class="why">${say("joker.placed", { hollow: board.joker })}</p><div class="row">` +
      button("lay-nothing", `<span>${say("joker.lay_nothing")}</span>`) +
      `${button("no-joker", `<span>${say("joker.cancel")}</span>`, { look: "bare" })}</div>`
    );
  }
  const hint = quoted(say("choose.hollow", { name: state.name }));
  const joker = state.jokers && state.takeable.length ? `<p class="soft">${say("joker.hint")}</p>` : "";
  return (
    `<p class="hint">${hint}</p>${joker}` +
    (state.seen ? seenList(say, state.seen) : "") +
    (state.moves ? movesList(say, state.moves) : "")
  );
}

/** @param {DuelBoard} board */
function startSheet(board) {
  const { say, hollow, lying } = board;
  const seen = board.state.seen ? seenList(say, board.state.seen) : "";
  if (!hollow) return `<p class="hint">${say("start.hint")}</p>${seen}`;
  const piece = lying[hollow];
  const others = Object.entries(lying).flatMap(([at, each]) => (at === hollow ? [] : [each]));
  const empty = piece ? button("empty", `<span>${say("start.empty")}</span>`) : "";
  return (
    head(say, piece ? pieceName(say, piece) : say("choose.stone", { hollow }), empty) +
    pad(say, new Set(others), new Set(piece ? [piece] : []))
  );
}

/**
 * @param {DuelBoard} board
 * @param {string} hollow
 * @param {string} piece
 */
function stoneSheet(board, hollow, piece) {
  const { state, say } = board;
  const takes = state.jokers && !board.joker && state.takeable.includes(hollow);
  const take = takes
    ? button("take", `${picture(JOKER)}<span>${say("joker.take")}</span>`, { look: "main" })
    : "";
  const big = `<svg class="piece large" viewBox="-47 -47 94 94" aria-hidden="true">${drawn(piece)}</svg>`;
  return `${head(say, pieceName(say, piece))}<div class="row">${big}${take}</div>`;
}

/**
 * @param {DuelBoard} board
 * @param {import("./duel.mjs").Hand} hand
 */
function handSheet(board, hand) {
  const { say, state } = board;
  const title = say("hand.title", { name: hand.name, count: hand.pieces.length });
  const done = button("hand-done", `<span>${say("hand.done")}</span>`, { look: "main" });
  const jokers = hand.pieces.filter((each) => each === JOKER).length;
  const joker = state.jokers
    ? `<div class="row">${button("stone", `${picture(JOKER)}<span>${say("hand.joker", { count: jokers })}</span>`, { value: JOKER })}</div>`
    : "";
  return (
    `<div class="duel-head"><h2>${quoted(title)}</h2>${done}</div>` +
    joker + pad(say, new Set(Object.values(state.stones)), new Set(hand.pieces))
  );
}
