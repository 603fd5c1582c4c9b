// @ts-check
/** A view of the board as one SVG: the photo or tiles below, squares, territories, marks. */

import { quoted, say, sayCount } from "../../shell/static/markup.mjs";
import { chip, crop, placeName, query, squareName, tile } from "./drawing.mjs";
import { boxAround, homographyOf, inverse, outlinesOf, project } from "./geometry.mjs";
import { latticePoint } from "./kingdom.mjs";

/**
 * @typedef {import("./messages.mjs").Dossier} Dossier
 * @typedef {import("./messages.mjs").Place} Place
 * @typedef {import("./messages.mjs").Point} Point
 * @typedef {import("./messages.mjs").Snapshot} Snapshot
 * @typedef {import("./messages.mjs").Territory} Territory
 */

/**
 * @typedef {{snapshot: Snapshot, dossier: Dossier, photo: boolean, crops: boolean,
 *   selected: Place | null, focused: Place, doubts: Place[], asked?: Place[],
 *   fresh?: Place[], territories: Territory[], lit: Place[]}} Shown ``fresh`` are squares that changed
 *   without a tap on them
 */

const TILE = 100;
/** @type {(point: Point) => Point} from the board (x = column, y = row) to a plan of it */
const onPlan = ([x, y]) => [x * TILE, y * TILE];
/** @type {(point: Point) => Point} */
const fromPlan = ([x, y]) => [x / TILE, y / TILE];
const NAMESPACE = "http://www.w3.org/2000/svg";

export class Scene {
  /** @param {SVGSVGElement} svg */
  constructor(svg) {
    this.svg = svg;
    svg.innerHTML =
      '<g class="ground"></g><g class="squares" role="group"></g>' +
      '<g class="territories" aria-hidden="true"></g><g class="marks" aria-hidden="true"></g>';
    const [ground, squares, territories, marks] = /** @type {SVGGElement[]} */ ([...svg.children]);
    this.ground = ground;
    this.squares = squares;
    this.territories = territories;
    this.marks = marks;
    /** @type {Map<string, {element: SVGGElement, drawn: string, label: string}>} */
    this.cells = new Map();
    this.layout = "";
    /** @type {(point: Point) => Point} from the board (x = column, y = row) to the drawing */
    this.place = onPlan;
    /** @type {(point: Point) => Point} */
    this.unplace = fromPlan;
    this.side = TILE;
  }

  /** @param {Shown} shown */
  draw(shown) {
    const { snapshot, dossier, photo } = shown;
    this.#aim(shown);
    const [height, width] = [snapshot.rows.length, snapshot.rows[0].length];
    const frame = Object.values(snapshot.frame).join();
    const layout = `${photo} ${shown.crops} ${height} ${width} ${frame} ${dossier.id}`;
    if (layout !== this.layout) this.#layOut(shown, layout);
    this.squares.setAttribute(
      "aria-label",
      say(dossier.words, "board.name", { rows: height, columns: width }),
    );
    const doubts = new Set(shown.doubts.map(String));
    const worth = new Map(
      shown.territories.filter(({ points }) => points).map((each) => [String(each.squares[0]), each.points]),
    );
    const tiled = !(photo && dossier.photo);
    for (const [key, cell] of this.cells) {
      const place = /** @type {Place} */ (key.split(",").map(Number));
      this.#drawCell(shown, place, cell, { doubtful: doubts.has(key), points: worth.get(key) });
    }
    this.territories.innerHTML = shown.territories
      .map((each) => this.#territory(each, tiled))
      .join("");
    const asked = new Set((shown.asked ?? []).map(String));
    this.marks.innerHTML =
      (shown.fresh ?? []).map((place) => `<path class="fresh" d="${this.path([place])}"/>`).join("") +
      shown.doubts.map((place) => this.#doubt(place, tiled, asked.has(String(place)))).join("") +
      shown.lit.map((place) => `<path class="lit" d="${this.path([place])}"/>`).join("") +
      (shown.selected ? this.#selection(shown.selected) : "");
  }

  /** @param {Shown} shown */
  #aim({ snapshot, dossier, photo }) {
    const reading = dossier.reading;
    if (!photo || !reading) {
      this.place = onPlan;
      this.unplace = fromPlan;
      this.side = TILE;
      return;
    }
    const [height, width] = [snapshot.rows.length, snapshot.rows[0].length];
    /** @type {(point: Point) => Point} */
    const place = (point) => project(reading.homography, latticePoint(snapshot.frame, point));
    const corners = /** @type {Point[]} */ ([[0, 0], [width, 0], [width, height], [0, height]]);
    const back = inverse(homographyOf(width, height, corners.map(place)));
    this.place = place;
    this.unplace = (point) => project(back, point);
    const [left, right] = [place([width / 2 - 0.5, height / 2]), place([width / 2 + 0.5, height / 2])];
    this.side = Math.hypot(right[0] - left[0], right[1] - left[1]);
  }

  /**
   * @param {Shown} shown
   * @param {string} layout
   */
  #layOut({ snapshot, dossier, photo }, layout) {
    this.layout = layout;
    this.cells.clear();
    this.squares.textContent = "";
    const picture = photo && dossier.photo;
    this.ground.innerHTML = picture
      ? `<image href="${quoted(picture.url)}" width="${picture.width}" height="${picture.height}"/>`
      : "";
    this.svg.classList.toggle("on-photo", Boolean(picture));
    snapshot.rows.forEach((row, r) =>
      row.forEach((_, c) => {
        const element = document.createElementNS(NAMESPACE, "g");
        element.setAttribute("role", "button");
        element.dataset.place = `${r},${c}`;
        this.squares.append(element);
        this.cells.set(`${r},${c}`, { element, drawn: "", label: "" });
      }),
    );
  }

  /**
   * @param {Shown} shown
   * @param {Place} place
   * @param {{element: SVGGElement, drawn: string, label: string}} cell
   * @param {{doubtful: boolean, points: number | undefined}} marks
   */
  #drawCell(shown, place, cell, marks) {
    const { words } = shown.dossier;
    const value = shown.snapshot.rows[place[0]][place[1]];
    const chosen = String(shown.selected) === String(place);
    const drawn = shown.photo ? `${value} ${chosen} ${Object.values(marks).join()}` : value;
    if (drawn !== cell.drawn) {
      cell.drawn = drawn;
      cell.element.innerHTML = this.#content(shown, place, value, chosen, marks);
    }
    const name = `${placeName(words, place)}: ${squareName(words, value)}`;
    const square = marks.doubtful ? say(words, "square.doubtful", { square: name }) : name;
    // What is written on it is in its name.
    const worth = shown.photo && marks.points ? `, ${sayCount(words, "points.live", marks.points)}` : "";
    const label = square + worth;
    if (label !== cell.label) {
      cell.label = label;
      cell.element.setAttribute("aria-label", label);
    }
    cell.element.setAttribute("aria-pressed", String(chosen));
    cell.element.setAttribute("tabindex", String(shown.focused) === String(place) ? "0" : "-1");
  }

  /**
   * @param {Shown} shown
   * @param {Place} place
   * @param {string} value
   * @param {boolean} chosen
   * @param {{doubtful: boolean, points: number | undefined}} marks
   */
  #content(shown, [row, column], value, chosen, marks) {
    const { dossier } = shown;
    const area = `<path class="square" d="${this.path([[row, column]])}"/>`;
    if (shown.photo && dossier.photo) {
      const [x, y] = this.place([column + 0.5, row + 0.5]);
      const scale = this.side / 100;
      const move = `translate(${x - 50 * scale} ${y - 50 * scale}) scale(${scale})`;
      return area + (chosen ? "" : `<g class="reading" transform="${move}">${chip(value, marks)}</g>`);
    }
    const inside =
      shown.crops && dossier.photo && dossier.reading
        ? crop(dossier.photo, this.photoCorners(shown, [row, column])) +
          `<g class="reading">${chip(value)}</g>`
        : tile(value);
    return (
      `<svg x="${column * TILE + 1.5}" y="${row * TILE + 1.5}" width="97" height="97" ` +
      `viewBox="0 0 100 100">${inside}</svg>${area}`
    );
  }

  /**
   * The corners of a square on the photo, clockwise from the top left.
   * @param {Pick<Shown, "snapshot" | "dossier">} shown
   * @param {Place} place
   * @returns {Point[]}
   */
  photoCorners({ snapshot, dossier }, [row, column]) {
    const h = dossier.reading?.homography ?? [1, 0, 0, 0, 1, 0, 0, 0, 1];
    return /** @type {Point[]} */ ([
      [column, row], [column + 1, row], [column + 1, row + 1], [column, row + 1],
    ]).map((point) => project(h, latticePoint(snapshot.frame, point)));
  }

  /**
   * The outline of squares as the data of an SVG path.
   * @param {Place[]} places
   */
  path(places) {
    return outlinesOf(places)
      .map((loop) => `M${loop.map((point) => this.place(point).map(rounded).join(" ")).join("L")}Z`)
      .join("");
  }

  /**
   * @param {Territory} territory
   * @param {boolean} tiled whether its points have a place of their own beside the crowns
   */
  #territory(territory, tiled) {
    if (!territory.points) return "";
    const outline = this.path(territory.squares);
    const points = tiled ? this.#points(territory) : "";
    return `<path class="casing" d="${outline}"/><path class="outline" d="${outline}"/>${points}`;
  }

  /** @param {Territory} territory */
  #points({ squares, points }) {
    const [row, column] = squares[0];
    const width = String(points).length * 13 + 17;
    return (
      `<g class="points" transform="translate(${column * TILE} ${row * TILE})">` +
      `<rect x="4" y="4" width="${width}" height="28" rx="14"/>` +
      `<text x="${4 + width / 2}" y="26" text-anchor="middle">${points}</text></g>`
    );
  }

  /**
   * @param {Place} place
   * @param {boolean} tiled
   * @param {boolean} asked whether the box says otherwise
   */
  #doubt([row, column], tiled, asked) {
    const outline = this.path([[row, column]]);
    const sign = tiled ? query((column + 1) * TILE - 18, row * TILE + 18) : "";
    return `<path class="doubt-casing" d="${outline}"/><path class="doubt${asked ? " asked" : ""}" ` +
      `d="${outline}"/>${sign}`;
  }

  /** @param {Place} place */
  #selection(place) {
    const outline = this.path([place]);
    return `<path class="chosen-casing" d="${outline}"/><path class="chosen" d="${outline}"/>`;
  }

  /**
   * What the view has to hold: the board, with a margin on the photo.
   * @param {Snapshot} snapshot
   */
  bounds({ rows }) {
    const [height, width] = [rows.length, rows[0].length];
    const corners = /** @type {Point[]} */ ([[0, 0], [width, 0], [width, height], [0, height]]);
    const box = boxAround(corners.map(this.place));
    const margin = this.svg.classList.contains("on-photo") ? 0.25 * this.side : 0.04 * this.side;
    return {
      x: box.x - margin,
      y: box.y - margin,
      width: box.width + 2 * margin,
      height: box.height + 2 * margin,
    };
  }

  /**
   * The square at a point of the drawing; null beside the board.
   * @param {Point} point
   * @param {Snapshot} snapshot
   * @returns {Place | null}
   */
  squareAt(point, { rows }) {
    const [x, y] = this.unplace(point);
    const [row, column] = [Math.floor(y), Math.floor(x)];
    return row >= 0 && column >= 0 && row < rows.length && column < rows[0].length
      ? [row, column]
      : null;
  }

  /** @param {Place} place */
  focus(place) {
    this.cells.get(String(place))?.element.focus({ preventScroll: true });
  }
}

/** @param {number} value */
function rounded(value) {
  return Math.round(value * 100) / 100;
}
