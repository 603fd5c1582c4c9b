// @ts-check
/** The window on the board: which part of it shows, and what fingers do there. */

import { listen } from "../../shell/static/gestures.mjs";
import { fitted, panned, readable, showing, zoomed } from "../../shell/static/viewport.mjs";
import { PITCH, boundsOf, hollowAt, middleOf } from "./hollows.mjs";

/**
 * @typedef {import("./hollows.mjs").BoardShape} BoardShape
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 */

export class BoardWindow {
  /**
   * @param {HTMLElement} element
   * @param {(name: string | null) => void} tap
   */
  constructor(element, tap) {
    this.element = element;
    /** @type {BoardShape | null} */
    this.shape = null;
    /** @type {Box} */
    this.whole = { x: 0, y: 0, width: 1, height: 1 };
    this.box = this.whole;
    this.fitKey = "";
    this.wanted = "";
    const watcher = new ResizeObserver(() => this.fit());
    watcher.observe(element);
    const stop = listen(element, {
      strokes: () => false,
      tap: ([x, y]) => {
        if (!this.shape) return;
        const { scale, box } = this;
        tap(hollowAt(this.shape, [box.x + x * scale, box.y + y * scale])?.name ?? null);
      },
      start: () => {},
      stroke: () => {},
      end: () => {},
      pan: (dx, dy) => this.look(panned(this.box, this.whole, dx * this.scale, dy * this.scale)),
      zoom: (factor, [x, y]) => this.zoom(factor, [x, y]),
    });
    this.close = () => {
      stop();
      watcher.disconnect();
    };
  }

  /** Units of the drawing in a CSS px. */
  get scale() {
    return this.box.width / Math.max(1, this.element.clientWidth);
  }

  get zoomedIn() {
    return this.box.width < this.whole.width * 0.99;
  }

  /** @param {BoardShape} shape */
  show(shape) {
    this.shape = shape;
    this.fit();
    this.look(this.box);
  }

  /** Keeps what is shown in the middle when the window changes its size. */
  fit() {
    const size = { width: this.element.clientWidth, height: this.element.clientHeight };
    const key = `${size.width},${size.height}`;
    if (!this.shape || key === this.fitKey || !size.width || !size.height) return;
    const first = this.fitKey === "";
    this.fitKey = key;
    const bounds = boundsOf(this.shape);
    const all = !first && !this.zoomedIn;
    this.whole = fitted(bounds, size);
    this.look(all ? this.whole : readable(bounds, size, PITCH));
    if (this.wanted) this.reveal(this.wanted);
  }

  toggle() {
    const size = { width: this.element.clientWidth, height: this.element.clientHeight };
    if (!this.shape) return;
    this.look(this.zoomedIn ? this.whole : readable(boundsOf(this.shape), size, PITCH));
  }

  /**
   * @param {number} factor
   * @param {[number, number]} [at] in CSS px from the top left
   */
  zoom(factor, at = [this.element.clientWidth / 2, this.element.clientHeight / 2]) {
    const point = /** @type {[number, number]} */ ([
      this.box.x + at[0] * this.scale,
      this.box.y + at[1] * this.scale,
    ]);
    this.look(zoomed(this.box, this.whole, factor, point));
  }

  /**
   * Shows a hollow and all that is around it.
   * @param {string} name
   */
  reveal(name) {
    this.wanted = name;
    const hollow = this.shape?.byName.get(name);
    if (!hollow) return;
    const [x, y] = middleOf(hollow);
    const around = Math.min(PITCH * 1.6, this.box.width / 2, this.box.height / 2);
    const inner = { x: x - around, y: y - around, width: 2 * around, height: 2 * around };
    this.look(showing(this.box, this.whole, inner));
  }

  /** @param {Box} box */
  look(box) {
    this.box = box;
    const viewBox = `${box.x} ${box.y} ${box.width} ${box.height}`;
    this.element.querySelector("svg.duel-board")?.setAttribute("viewBox", viewBox);
  }
}
