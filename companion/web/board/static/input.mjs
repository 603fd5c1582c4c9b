// @ts-check
/** Clicks, keys and focus, handed on to what they mean. */

import { perform } from "./actions.mjs";
import { swallowClick } from "./ghosts.mjs";
import { cornerKey, keyAction } from "./keyboard.mjs";
import * as model from "./model.mjs";

/**
 * @typedef {import("./board.mjs").Board} Board
 * @typedef {import("./types.mjs").Place} Place
 */

const SLOP_PX = 12;
const CLICK_AFTER_MS = 800;

/** @param {Board} board */
export function listenTo(board) {
  listenToFingers(board);
  board.root.addEventListener("keydown", (event) => key(board, event));
  board.root.addEventListener("focusin", (event) => focus(board, event));
}

/**
 * A button acts when the finger leaves it. The click comes later, and after a stroke that ended in
 * a flick the browser makes none at all; so a click counts only where no finger was, as from a
 * keyboard or a screen reader.
 * @param {Board} board
 */
function listenToFingers(board) {
  /** @type {{id: number, button: Element, x: number, y: number} | null} */
  let down = null;
  let acted = -CLICK_AFTER_MS;
  board.root.addEventListener("pointerdown", (event) => {
    const button = /** @type {Element} */ (event.target).closest("[data-do]");
    const { pointerId: id, clientX: x, clientY: y } = event;
    down = button && event.button === 0 ? { id, button, x, y } : null;
  });
  board.root.addEventListener("pointercancel", () => {
    down = null;
  });
  board.root.addEventListener("pointerup", (event) => {
    const held = down;
    down = null;
    if (!held || held.id !== event.pointerId || held.button.hasAttribute("disabled")) return;
    if (Math.hypot(event.clientX - held.x, event.clientY - held.y) > SLOP_PX) return;
    acted = event.timeStamp;
    swallowClick(event);
    press(board, held.button);
  });
  board.root.addEventListener("click", (event) => {
    if (event.detail === 0 || event.timeStamp - acted > CLICK_AFTER_MS) click(board, event);
  });
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
