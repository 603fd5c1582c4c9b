// @ts-check
/** What the buttons of the board do, by the name of their action. */

import { Corners } from "./corners.mjs";
import { neighbourDoubt } from "./doubts.mjs";
import * as model from "./model.mjs";
import { parseSquare, squareText } from "./notation.mjs";

/**
 * @typedef {import("./board.mjs").Board} Board
 * @typedef {import("./types.mjs").Place} Place
 * @typedef {import("./types.mjs").Point} Point
 * @typedef {import("./types.mjs").Side} Side
 */

/**
 * Does what a button says.
 * @param {Board} board
 * @param {string} action
 * @param {string} value
 */
export function perform(board, action, value) {
  const { snapshot } = board;
  const side = /** @type {Side} */ (value);
  /** @type {Record<string, () => void>} */
  const actions = {
    undo: () => board.undo(),
    redo: () => board.redo(),
    close: () => board.close(),
    set: () => set(board, value),
    offer: () => set(board, value),
    confirm: () => confirm(board),
    anything: () => { board.mode = "square"; },
    giants: () => giants(board, Number(value)),
    brush: () => { board.brush = value; },
    doubts: () => (board.mode === "doubts" ? board.close() : stepOn(board, null, 1)),
    "next-doubt": () => stepOn(board, board.selected, 1),
    "last-doubt": () => stepOn(board, board.selected, -1),
    view: () => { board.onPhoto = value === "photo"; },
    crops: () => { board.crops = !board.crops; board.onPhoto = false; },
    paint: () => toggle(board, "paint"),
    size: () => toggle(board, "size"),
    zoom: () => board.stage.zoom(Number(value)),
    fit: () => board.stage.fit(),
    light: () => { board.lit = board.lit === value ? null : value; },
    less: () => board.act("remove_line", model.withoutLine(snapshot, side), { value }),
    "more-lines": () => board.act("add_line", model.withLine(snapshot, side), { value }),
    move: () => board.act("move", model.moved(snapshot, side), { value }),
    turn: () => board.act("turn", model.turned(snapshot)),
    clear: () => board.act("clear", model.cleared(snapshot)),
    corners: () => startCorners(board),
    grid: () => resizeCorners(board, value),
    "read-corners": () => readCorners(board),
  };
  const drawn = board.renders;
  actions[action]?.();
  if (board.renders === drawn) board.render();
}

/**
 * @param {Board} board
 * @param {"paint" | "size"} mode
 */
function toggle(board, mode) {
  if (board.mode === mode) {
    board.close();
    return;
  }
  board.mode = mode;
  board.selected = board.corners = null;
}

/**
 * @param {Board} board
 * @param {string} value
 */
function resizeCorners(board, value) {
  const [code, step] = value.split(" ");
  if (!board.corners) return;
  if (code === "corners.rows") board.corners.rows += Number(step);
  else board.corners.columns += Number(step);
}

/** @param {Board} board */
export function startCorners(board) {
  const { photo, reading } = board.dossier;
  if (!photo) return;
  const { rows } = board.snapshot;
  const [height, width] = [rows.length, rows[0].length];
  const side = 0.6 * Math.min(photo.width, photo.height);
  const [x, y] = [(photo.width - side) / 2, (photo.height - side) / 2];
  /** @type {Point[]} */
  let corners = [[x, y], [x + side, y], [x + side, y + side], [x, y + side]];
  if (reading) {
    board.stage.scene.draw({ ...board.shown(), photo: true });
    const { scene } = board.stage;
    corners = [
      scene.place([0, 0]), scene.place([width, 0]), scene.place([width, height]),
      scene.place([0, height]),
    ];
  }
  board.corners = new Corners(photo, corners, height, width);
  board.mode = "corners";
  board.selected = null;
  board.render();
}

/** @param {Board} board */
function readCorners(board) {
  if (!board.corners?.good) return;
  board.waiting = true;
  board.outbox.add({ kind: "corners" });
  board.render();
}

/**
 * @param {Board} board
 * @param {string} value
 */
function set(board, value) {
  const place = board.selected;
  if (!place) return;
  const stepping = board.mode === "doubts";
  const next = model.withSquares(board.snapshot, [place], value);
  board.act("set", next, { squares: [place], value });
  if (stepping) stepOn(board, place, 1);
}

/** @param {Board} board */
function confirm(board) {
  const place = board.selected;
  if (!place) return;
  board.act("confirm", model.confirmed(board.snapshot, place), { squares: [place] });
  stepOn(board, place, 1);
}

/**
 * Goes on to the next doubt, or to rest after the last.
 * @param {Board} board
 * @param {Place | null} place
 * @param {1 | -1} step
 */
function stepOn(board, place, step) {
  const next = neighbourDoubt(board.doubts, place, step);
  board.mode = next ? "doubts" : "rest";
  board.selected = next;
  if (next) {
    board.focused = next;
    board.stage.reveal(next);
  }
  board.render();
}

/**
 * @param {Board} board
 * @param {number} count
 */
function giants(board, count) {
  const painting = board.mode === "paint";
  const cell = painting ? board.brush : board.selected && board.cell(board.selected);
  const square = cell ? parseSquare(cell) : null;
  if (!square?.terrain || count < 0) return;
  const value = squareText(square.terrain, square.crowns, count);
  if (!painting) set(board, value);
  else board.brush = value;
  board.render();
}
