// @ts-check
/** What of the board can be seen on the page: nothing lies over it, and it stays where it is. */

/**
 * Scrolls whatever can be scrolled around an element.
 * @param {Element} element
 * @param {number} by px that the page is to go up by, below zero down
 */
function scrollAround(element, by) {
  if (!by) return;
  for (let node = /** @type {Node | null} */ (element); node; node = above(node)) {
    if (node instanceof Element && node.scrollHeight > node.clientHeight + 1) {
      const before = node.scrollTop;
      node.scrollTop += by;
      if (node.scrollTop !== before) return;
    }
  }
}

/** @param {Node} node */
function above(node) {
  return node instanceof ShadowRoot ? node.host : node.parentNode;
}

/**
 * Scrolls the page so far that a square is not under the sheet.
 * @param {Element} square
 * @param {Element} sheet
 */
export function uncoverSquare(square, sheet) {
  const hidden = square.getBoundingClientRect().bottom + 8 - sheet.getBoundingClientRect().top;
  if (hidden > 0) scrollAround(square, hidden);
}

/**
 * Scrolls the page so far that the board is not under the sheet, as far as both find room.
 * @param {Element} stage
 * @param {Element} sheet
 */
export function uncoverAll(stage, sheet) {
  const { top, bottom } = stage.getBoundingClientRect();
  const hidden = Math.min(bottom + 8 - sheet.getBoundingClientRect().top, top - 8);
  if (hidden > 0) scrollAround(stage, hidden);
}

/**
 * Changes what stands above the board, which does not move under the finger for it.
 * @param {Element} stage
 * @param {() => void} change
 */
export function holdStill(stage, change) {
  const before = stage.getBoundingClientRect().top;
  change();
  scrollAround(stage, stage.getBoundingClientRect().top - before);
}

/**
 * Tells when the board or anything around it has got another size, but not under a finger.
 * @param {Element} root
 * @param {() => void} resized
 * @returns {() => void} ends it
 */
export function watchPage(root, resized) {
  const touching = new Set();
  /** @param {PointerEvent} event */
  const pressed = (event) => touching.add(event.pointerId);
  /** @param {PointerEvent} event */
  const lifted = (event) => touching.delete(event.pointerId);
  const watcher = new ResizeObserver(() => {
    if (!touching.size) resized();
  });
  for (let node = /** @type {Node | null} */ (root); node; node = above(node)) {
    if (node instanceof Element) watcher.observe(node);
  }
  addEventListener("pointerdown", pressed, true);
  addEventListener("pointerup", lifted, true);
  addEventListener("pointercancel", lifted, true);
  return () => {
    watcher.disconnect();
    removeEventListener("pointerdown", pressed, true);
    removeEventListener("pointerup", lifted, true);
    removeEventListener("pointercancel", lifted, true);
  };
}
