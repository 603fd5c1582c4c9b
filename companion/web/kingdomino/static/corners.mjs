// @ts-check
/** The four corners of the grid, dragged by hand, with a magnifier beside the finger. */

import { quoted, say } from "../../shell/static/markup.mjs";
import { homographyOf, isConvex, project } from "./geometry.mjs";

/**
 * @typedef {import("./messages.mjs").Photo} Photo
 * @typedef {import("./messages.mjs").Point} Point
 * @typedef {import("./messages.mjs").Words} Words
 */

const REACH_PX = 48;
const MAGNIFIER_PX = 132;
const MAGNIFIED_PX = 44;
export const CORNER_NAMES = ["top_left", "top_right", "bottom_right", "bottom_left"];

export class Corners {
  /**
   * @param {Photo} photo
   * @param {Point[]} corners pixels of the photo, clockwise from the top left
   * @param {number} rows
   * @param {number} columns
   */
  constructor(photo, corners, rows, columns) {
    this.photo = photo;
    this.corners = corners;
    this.rows = rows;
    this.columns = columns;
    /** @type {{index: number, offset: Point} | null} */
    this.held = null;
  }

  get good() {
    return isConvex(this.corners);
  }

  /**
   * Takes the corner nearest to a finger.
   * @param {Point} point pixel of the photo
   * @param {number} scale photo pixels in a pixel of the screen
   * @returns {boolean} whether one was near enough
   */
  take([x, y], scale) {
    const apart = this.corners.map(([cx, cy]) => Math.hypot(cx - x, cy - y));
    const nearest = Math.min(...apart);
    if (nearest > REACH_PX * scale) return false;
    const index = apart.indexOf(nearest);
    const [cx, cy] = this.corners[index];
    this.held = { index, offset: [cx - x, cy - y] };
    return true;
  }

  /** @param {Point} point */
  drag([x, y]) {
    if (this.held) this.put(this.held.index, [x + this.held.offset[0], y + this.held.offset[1]]);
  }

  release() {
    this.held = null;
  }

  /**
   * @param {number} index
   * @param {Point} point
   */
  put(index, [x, y]) {
    const { width, height } = this.photo;
    const inside = /** @type {Point} */ ([
      Math.min(width, Math.max(0, x)),
      Math.min(height, Math.max(0, y)),
    ]);
    this.corners = this.corners.map((corner, each) => (each === index ? inside : corner));
  }

  /**
   * The frame and its handles as SVG.
   * @param {Words} words
   * @param {number} scale photo pixels in a pixel of the screen
   */
  markup(words, scale) {
    const h = homographyOf(this.columns, this.rows, this.corners);
    const lines = [];
    for (let column = 0; column <= this.columns; column++) {
      lines.push(`M${project(h, [column, 0])}L${project(h, [column, this.rows])}`);
    }
    for (let row = 0; row <= this.rows; row++) {
      lines.push(`M${project(h, [0, row])}L${project(h, [this.columns, row])}`);
    }
    const handles = this.corners.map(([x, y], index) => {
      const name = say(words, `corner.${CORNER_NAMES[index]}`);
      const radius = (this.held?.index === index ? 8 : 13) * scale;
      return (
        `<g class="handle" role="button" tabindex="0" data-corner="${index}" ` +
        `aria-label="${quoted(name)}"><circle class="reach" cx="${x}" cy="${y}" r="${24 * scale}"/>` +
        `<circle cx="${x}" cy="${y}" r="${radius}"/></g>`
      );
    });
    const path = this.good ? lines.join("") : `M${this.corners.join("L")}Z`;
    return (
      `<path class="frame-casing" d="${path}"/><path class="frame" d="${path}"/>${handles.join("")}`
    );
  }

  /**
   * What is under the finger, enlarged, on the side where the finger isn't; empty without one.
   * @param {(point: Point) => Point} toScreen
   * @param {number} scale photo pixels in a pixel of the screen
   * @param {number} width of the stage in CSS px
   */
  magnifier(toScreen, scale, width) {
    if (!this.held) return "";
    const [x, y] = this.corners[this.held.index];
    const [screenX, screenY] = toScreen([x, y]);
    const half = (MAGNIFIED_PX / 2) * scale;
    const left = screenX < width / 2 ? width - MAGNIFIER_PX - 12 : 12;
    const top = Math.max(12, screenY - MAGNIFIER_PX - 40);
    const { url, width: w, height: h } = this.photo;
    return (
      `<svg class="magnifier" style="left:${left}px;top:${top}px" aria-hidden="true" ` +
      `viewBox="${x - half} ${y - half} ${2 * half} ${2 * half}"><rect x="${x - half}" ` +
      `y="${y - half}" width="${2 * half}" height="${2 * half}" class="beyond"/>` +
      `<image href="${quoted(url)}" width="${w}" height="${h}"/>` +
      `<path class="cross-casing" d="M${x - half} ${y}h${2 * half}M${x} ${y - half}v${2 * half}"/>` +
      `<path class="cross-line" d="M${x - half} ${y}h${2 * half}M${x} ${y - half}v${2 * half}"/></svg>`
    );
  }
}
