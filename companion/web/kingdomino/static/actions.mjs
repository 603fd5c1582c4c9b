// @ts-check
/** What buttons, keys and strokes do to the board. */

import { listenToPresses } from "../../shell/static/fingers.mjs";
import { Corners } from "./corners.mjs";
import * as model from "./kingdom.mjs";
import { neighbourDoubt, parseSquare, squareText } from "./kingdom.mjs";

/**
 * @typedef {import("./board.mjs").Board} Board
 * @typedef {import("./messages.mjs").Place} Place
 * @typedef {import("./messages.mjs").Point} Point
 * @typedef {import("./messages.mjs").Side} Side
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
    piece: () => lay(board, value),
    brush: () => { board.brush = value; },
    doubts: () => (board.mode === "doubts" ? board.close() : stepOn(board, null, 1)),
    "next-doubt": () => stepOn(board, board.selected, 1),
    "last-doubt": () => stepOn(board, board.selected, -1),
    view: () => { board.onPhoto = value === "photo"; },
    crops: () => { board.crops = !board.crops; board.onPhoto = false; },
    paint: () => toggle(board, "paint"),
    size: () => toggle(board, "size"),
    zoom: () => board.stage.view.zoom(Number(value)),
    fit: () => board.stage.view.look(board.stage.view.whole),
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
  board.render();
}

/** @param {Board} board */
function readCorners(board) {
  if (!board.corners?.good) return;
  board.waiting = true;
  board.wire.add({ kind: "corners" });
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
  board.act("confirm", model.confirmed(board.snapshot, place, board.open), { squares: [place] });
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

/**
 * Lays a piece of The Court on the chosen square, or takes it off again.
 * @param {Board} board
 * @param {string} piece
 */
function lay(board, piece) {
  const painting = board.mode === "paint";
  const cell = painting ? board.brush : board.selected && board.cell(board.selected);
  const square = cell ? parseSquare(cell) : null;
  if (!square?.terrain || square.crowns) return;
  const value = square.piece === piece ? square.terrain : square.terrain + piece;
  if (!painting) set(board, value);
  else board.brush = value;
  board.render();
}

/** @param {Board} board */
export function listenTo(board) {
  listenToPresses(board.root, (button) => press(board, button), (event) => click(board, event));
  board.root.addEventListener("keydown", (event) => key(board, event));
  board.root.addEventListener("focusin", (event) => focus(board, event));
}

/**
 * @param {Board} board
 * @param {Element} button
 */
function press(board, button) {
  perform(board, button.getAttribute("data-do") ?? "", button.getAttribute("data-value") ?? "");
}

/**
 * @param {Board} board
 * @param {Event} event
 */
function click(board, event) {
  const target = /** @type {Element} */ (event.target);
  const pressed = target.closest("[data-do]");
  if (pressed) {
    press(board, pressed);
    return;
  }
  // A screen reader clicks without a finger on the stage; fingers end at the stage itself.
  const square = target.closest("[data-place]");
  if (square) activate(board, /** @type {HTMLElement} */ (square).dataset.place ?? "");
}

/**
 * @param {Board} board
 * @param {string} text
 */
function activate(board, text) {
  const place = /** @type {Place} */ (text.split(",").map(Number));
  if (board.mode === "paint") {
    board.act("paint", model.withSquares(board.snapshot, [place], board.brush), {
      squares: [place], value: board.brush });
  } else {
    board.select(place);
  }
}

/**
 * @param {Board} board
 * @param {KeyboardEvent} event
 */
function key(board, event) {
  if (cornerKey(board, event) || keyAction(board, event)) event.preventDefault();
  // The page has shortcuts of its own for the same letters.
  event.stopPropagation();
}

/**
 * @param {Board} board
 * @param {FocusEvent} event
 */
function focus(board, event) {
  const place = /** @type {Element} */ (event.target).getAttribute("data-place");
  if (place) board.focused = /** @type {Place} */ (place.split(",").map(Number));
}

/** @type {Record<string, Place>} */
const ARROWS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};
const CORNER_STEP_PX = 4;

/**
 * Moves a corner that has the focus; tells whether it did.
 * @param {Board} board
 * @param {KeyboardEvent} event
 */
export function cornerKey(board, event) {
  const index = /** @type {Element} */ (event.target).getAttribute("data-corner");
  const arrow = ARROWS[event.key];
  if (index === null || !arrow || !board.corners) return false;
  const step = CORNER_STEP_PX * board.stage.view.scale * (event.shiftKey ? 5 : 1);
  const [x, y] = board.corners.corners[Number(index)];
  board.corners.put(Number(index), [x + arrow[1] * step, y + arrow[0] * step]);
  board.render();
  return true;
}

/**
 * Does what a key says; tells whether it said anything.
 * @param {Board} board
 * @param {KeyboardEvent} event
 */
export function keyAction(board, event) {
  if (event.ctrlKey || event.metaKey) {
    const key = event.key.toLowerCase();
    if (key === "y" || (key === "z" && event.shiftKey)) board.redo();
    else if (key === "z") board.undo();
    else return false;
    return true;
  }
  if (event.key === "Escape") {
    board.close();
    board.stage.scene.focus(board.focused);
    return true;
  }
  const square = /** @type {HTMLElement} */ (event.target).closest("[data-place]");
  if (!square || event.altKey) return false;
  const place = board.focused;
  const arrow = ARROWS[event.key];
  if (arrow) {
    const next = /** @type {Place} */ ([place[0] + arrow[0], place[1] + arrow[1]]);
    if (!model.holds(board.snapshot, next)) return true;
    board.focused = next;
    if (board.selected) board.select(next);
    else board.stage.reveal(next);
    board.render();
    board.stage.scene.focus(next);
    return true;
  }
  if (event.key === "Enter" || event.key === " ") {
    /** @type {HTMLElement} */ (square).dispatchEvent(new MouseEvent("click", { bubbles: true }));
    return true;
  }
  const value = model.afterKey(board.cell(place), event.key);
  if (value === null) return false;
  board.act("set", model.withSquares(board.snapshot, [place], value), { squares: [place], value });
  return true;
}

/**
 * @param {Board} board
 * @param {Place | null} place
 */
export function startStroke(board, place) {
  if (board.waiting) return;
  board.strokes = { before: board.snapshot, places: [] };
  stroke(board, place);
}

/**
 * @param {Board} board
 * @param {Place | null} place
 */
export function stroke(board, place) {
  const strokes = board.strokes;
  if (!place || !strokes || strokes.places.some((each) => String(each) === String(place))) return;
  strokes.places.push(place);
  // Shown at once, but kept as one step of undo when the finger is lifted.
  board.history.present = model.withSquares(strokes.before, strokes.places, board.brush);
  board.render();
}

/**
 * @param {Board} board
 * @param {boolean} kept whether the finger was lifted and no second one came
 */
export function endStroke(board, kept) {
  if (!board.strokes) return;
  const { before, places } = board.strokes;
  board.strokes = null;
  const next = board.history.present;
  board.history.present = before;
  if (kept && places.length) board.act("paint", next, { squares: places, value: board.brush });
  board.render();
}
