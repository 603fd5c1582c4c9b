// @ts-check
/**
 * The window on a drawing: which part is shown, fitted, zoomed and moved. Lengths of the stage in CSS
 * px.
 */

import { listen } from "./fingers.mjs";

/**
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 * @typedef {[number, number]} Point x and y
 * @typedef {{width: number, height: number}} Size
 */

export const MIN_TARGET_PX = 44;
const MAX_ZOOM = 12;

/**
 * The box of the stage's shape that holds all of `content` in its middle.
 * @param {Box} content
 * @param {Size} stage
 * @returns {Box}
 */
export function fitted(content, stage) {
  const scale = Math.max(content.width / stage.width, content.height / stage.height);
  const [width, height] = [stage.width * scale, stage.height * scale];
  return {
    x: content.x + (content.width - width) / 2,
    y: content.y + (content.height - height) / 2,
    width,
    height,
  };
}

/**
 * The fitted box, nearer where squares of `square` units would be smaller than a finger.
 * @param {Box} content
 * @param {Size} stage
 * @param {number} square
 * @returns {Box}
 */
export function readable(content, stage, square) {
  const box = fitted(content, stage);
  const pixels = (square * stage.width) / box.width;
  if (pixels >= MIN_TARGET_PX) return box;
  const middle = /** @type {Point} */ ([box.x + box.width / 2, box.y + box.height / 2]);
  return zoomed(box, box, MIN_TARGET_PX / pixels, middle);
}

/**
 * Nearer by a factor, the point `at` staying where it is; never farther than `whole`.
 * @param {Box} box
 * @param {Box} whole
 * @param {number} factor
 * @param {Point} at
 * @returns {Box}
 */
export function zoomed(box, whole, factor, [x, y]) {
  const width = Math.min(whole.width, Math.max(whole.width / MAX_ZOOM, box.width / factor));
  const ratio = width / box.width;
  return clamped(
    {
      x: x - (x - box.x) * ratio,
      y: y - (y - box.y) * ratio,
      width,
      height: box.height * ratio,
    },
    whole,
  );
}

/**
 * @param {Box} box
 * @param {Box} whole
 * @param {number} dx
 * @param {number} dy
 * @returns {Box}
 */
export function panned(box, whole, dx, dy) {
  return clamped({ ...box, x: box.x - dx, y: box.y - dy }, whole);
}

/**
 * The box moved just as far that a box inside it is shown.
 * @param {Box} box
 * @param {Box} whole
 * @param {Box} inner
 * @returns {Box}
 */
export function showing(box, whole, inner) {
  const x = Math.min(Math.max(box.x, inner.x + inner.width - box.width), inner.x);
  const y = Math.min(Math.max(box.y, inner.y + inner.height - box.height), inner.y);
  return clamped({ ...box, x, y }, whole);
}

/**
 * @param {Box} box
 * @param {Box} whole
 * @returns {Box}
 */
function clamped(box, whole) {
  const x = Math.max(whole.x, Math.min(box.x, whole.x + whole.width - box.width));
  const y = Math.max(whole.y, Math.min(box.y, whole.y + whole.height - box.height));
  return { ...box, x, y };
}

/** What of a drawing an element shows, moved and zoomed by fingers. */
export class View {
  /**
   * @param {HTMLElement} element
   * @param {() => void} shown draws what is in `box` now
   */
  constructor(element, shown) {
    this.element = element;
    this.shown = shown;
    /** @type {Box} */
    this.whole = { x: 0, y: 0, width: 1, height: 1 };
    this.box = this.whole;
    this.fitted = "";
  }

  get size() {
    return { width: this.element.clientWidth, height: this.element.clientHeight };
  }

  /** Units of the drawing in a CSS px. */
  get scale() {
    return this.box.width / Math.max(1, this.size.width);
  }

  get zoomedIn() {
    return this.box.width < this.whole.width * 0.99;
  }

  /**
   * Shows all of the content, nearer where its squares would be smaller than a finger; does nothing
   * as long as neither what is drawn nor the size of the element has changed.
   * @param {Box} content
   * @param {number} square its side in units, 0 where it may be as small as it is
   * @param {string} [drawn] what is drawn
   * @returns {boolean} whether anything had changed
   */
  fit(content, square, drawn = "") {
    const { size } = this;
    const key = `${drawn} ${size.width} ${size.height}`;
    if (key === this.fitted || !size.width || !size.height) return false;
    this.fitted = key;
    this.whole = fitted(content, size);
    this.look(square ? readable(content, size, square) : this.whole);
    return true;
  }

  /** @param {Box} box */
  look(box) {
    this.box = box;
    this.shown();
  }

  /**
   * @param {number} dx in CSS px
   * @param {number} dy
   */
  pan(dx, dy) {
    this.look(panned(this.box, this.whole, dx * this.scale, dy * this.scale));
  }

  /**
   * @param {number} factor
   * @param {Point} [at] in CSS px from the top left
   */
  zoom(factor, at = [this.size.width / 2, this.size.height / 2]) {
    this.look(zoomed(this.box, this.whole, factor, this.fromScreen(at)));
  }

  /** @param {Box} inner what is to be seen */
  reveal(inner) {
    this.look(showing(this.box, this.whole, inner));
  }

  /** @param {Point} point in CSS px from the top left @returns {Point} */
  fromScreen([x, y]) {
    return [this.box.x + x * this.scale, this.box.y + y * this.scale];
  }

  /** @param {Point} point of the drawing @returns {Point} */
  toScreen([x, y]) {
    return [(x - this.box.x) / this.scale, (y - this.box.y) / this.scale];
  }

  /**
   * Listens to fingers, two of which move and zoom, and to the size of the element.
   * @param {Omit<import("./fingers.mjs").Handlers, "pan" | "zoom">} handlers
   * @param {() => void} resized
   * @returns {() => void} ends it
   */
  listen(handlers, resized) {
    const watcher = new ResizeObserver(resized);
    watcher.observe(this.element);
    const stop = listen(this.element, {
      ...handlers,
      pan: (dx, dy) => this.pan(dx, dy),
      zoom: (factor, at) => this.zoom(factor, at),
    });
    return () => {
      stop();
      watcher.disconnect();
    };
  }
}
