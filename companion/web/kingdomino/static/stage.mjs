// @ts-check
/**
 * The window on the board: which part of the scene shows, what fingers do there, and that nothing
 * lies over it.
 */

import { View } from "../../shell/static/window.mjs";
import { boxAround } from "./geometry.mjs";
import { Scene } from "./scene.mjs";

/**
 * @typedef {import("./corners.mjs").Corners} Corners
 * @typedef {import("./messages.mjs").Place} Place
 * @typedef {import("./messages.mjs").Point} Point
 * @typedef {import("./scene.mjs").Shown} Shown
 */

/**
 * @typedef {{
 *   paints: () => boolean,
 *   tap: (place: Place | null) => void,
 *   start: (place: Place | null) => void,
 *   stroke: (place: Place | null) => void,
 *   end: (kept: boolean) => void,
 *   cornersMoved: () => void,
 * }} Listener
 */

export class Stage {
  /**
   * @param {HTMLElement} element
   * @param {Listener} listener
   */
  constructor(element, listener) {
    this.element = element;
    this.listener = listener;
    this.svg = /** @type {SVGSVGElement} */ (element.querySelector("svg.scene"));
    this.handles = /** @type {SVGGElement} */ (element.querySelector(".corner-layer"));
    this.glass = /** @type {HTMLElement} */ (element.querySelector(".glass"));
    this.scene = new Scene(this.svg);
    this.svg.append(this.handles);
    this.view = new View(element, () => this.#look());
    /** @type {Shown | null} */
    this.shown = null;
    /** @type {Corners | null} */
    this.corners = null;
    /** @type {Point | null} */
    this.dragged = null;
    this.close = this.view.listen(
      {
        strokes: () => this.corners !== null || listener.paints(),
        tap: (point) => listener.tap(this.#squareAt(point)),
        start: (point) => this.#start(point),
        stroke: (point) => this.#stroke(point),
        end: (kept) => this.#end(kept),
      },
      () => {
        if (this.shown) this.draw(this.shown, this.corners);
      },
    );
  }

  /**
   * @param {Shown} shown
   * @param {Corners | null} corners
   */
  draw(shown, corners) {
    this.shown = shown;
    this.corners = corners;
    this.scene.draw(shown);
    const { rows, frame } = shown.snapshot;
    const bounds = corners
      ? { x: 0, y: 0, width: corners.photo.width, height: corners.photo.height }
      : this.scene.bounds(shown.snapshot);
    const drawn = [
      shown.photo, rows.length, rows[0].length, frame.turns, shown.dossier.id, Boolean(corners),
    ].join();
    this.view.fit(bounds, corners ? 0 : this.scene.side, drawn);
    this.drawCorners();
  }

  drawCorners() {
    const { corners, shown } = this;
    const focused = /** @type {ShadowRoot | Document} */ (this.element.getRootNode()).activeElement;
    const index = focused?.getAttribute("data-corner");
    this.handles.innerHTML = corners && shown ? corners.markup(shown.dossier.words, this.view.scale) : "";
    this.glass.innerHTML =
      corners?.magnifier((point) => this.view.toScreen(point), this.view.scale, this.view.size.width) ??
      "";
    if (corners && index) {
      /** @type {SVGElement | null} */ (
        this.handles.querySelector(`[data-corner="${index}"]`)
      )?.focus({ preventScroll: true });
    }
  }

  /** @param {Place} place */
  reveal([row, column]) {
    const corners = [[column, row], [column + 1, row], [column, row + 1], [column + 1, row + 1]];
    this.view.reveal(boxAround(corners.map(([x, y]) => this.scene.place([x, y]))));
  }

  /**
   * Brings a square, or all of them, out from under the sheet.
   * @param {Place | null} place
   * @param {Element} sheet
   */
  uncover(place, sheet) {
    const cell = place && this.scene.cells.get(String(place));
    if (cell) uncoverSquare(cell.element, sheet);
    else uncoverAll(this.element, sheet);
  }

  #look() {
    const { x, y, width, height } = this.view.box;
    this.svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    this.element.classList.toggle("zoomed", this.view.zoomedIn);
    if (this.corners) this.drawCorners();
  }

  /** @param {Point} point */
  #squareAt(point) {
    if (!this.shown) return null;
    return this.scene.squareAt(this.view.fromScreen(point), this.shown.snapshot);
  }

  /** @param {Point} point */
  #start(point) {
    if (!this.corners) {
      this.listener.start(this.#squareAt(point));
      return;
    }
    const taken = this.corners.take(this.view.fromScreen(point), this.view.scale);
    this.dragged = taken ? null : point;
    this.drawCorners();
  }

  /** @param {Point} point */
  #stroke(point) {
    if (!this.corners) {
      this.listener.stroke(this.#squareAt(point));
    } else if (this.corners.held) {
      this.corners.drag(this.view.fromScreen(point));
      this.drawCorners();
    } else if (this.dragged) {
      const [dx, dy] = [point[0] - this.dragged[0], point[1] - this.dragged[1]];
      this.dragged = point;
      this.view.pan(dx, dy);
    }
  }

  /** @param {boolean} kept */
  #end(kept) {
    if (!this.corners) {
      this.listener.end(kept);
      return;
    }
    const moved = this.corners.held !== null;
    this.corners.release();
    this.dragged = null;
    if (moved) this.listener.cornersMoved();
  }
}

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
 * Where an element lies on its page, however far that is scrolled, and how much room both have.
 * @param {Element} element
 */
function placeOf(element) {
  let { top } = element.getBoundingClientRect();
  for (let node = above(element); node; node = above(node)) {
    if (node instanceof Element) top += node.scrollTop;
  }
  return [Math.round(top), element.clientWidth, element.clientHeight, innerHeight].join();
}

/**
 * Tells when the board or what is around it has got another size, so that the board lies elsewhere, but
 * not under a finger. What grows below it is nothing to it.
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
  let known = placeOf(root);
  const watcher = new ResizeObserver(() => {
    const now = placeOf(root);
    if (touching.size || now === known) return;
    known = now;
    resized();
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
