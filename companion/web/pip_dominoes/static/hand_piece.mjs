// @ts-check
/** What somebody has left: on the photo, on a pad of the set, or as a number. */

import { Piece } from "./piece.mjs";
import * as model from "./hand_model.mjs";
import { handMarkup } from "./hand_view.mjs";
import { parseTile } from "./tiles.mjs";

/**
 * @typedef {import("./hand_model.mjs").Hand} Hand
 * @typedef {{address: string, width: number, height: number,
 *   dominoes: {corners: [number, number][], runner: string | null}[]}} Photo
 * @typedef {{answers?: {client: string, seq: number}, words: Record<string, string>,
 *   hand: import("./hand_model.mjs").HandData | null, photo: Photo | null, highest: number,
 *   middle: string | null, costs: boolean, counting: boolean,
 *   elsewhere: Record<string, string>, low: boolean}} HandState
 * @typedef {"photo" | "tiles" | "number"} View
 */

/** @extends {Piece<HandState>} */
export class HandPiece extends Piece {
  /**
   * @param {HTMLElement} root
   * @param {HandState} data
   * @param {(message: object) => void} send
   */
  constructor(root, data, send) {
    super(root, data, send);
    /** @type {Hand} */
    this.hand = model.handOf(data.hand);
    /** What the server held when nothing was on its way: what changes here are made from. */
    this.before = data.hand;
    /** @type {Hand[]} */
    this.past = [];
    /** @type {number | null} */
    this.picked = null;
    this.typed = "";
    this.number = data.highest;
    /** @type {View} */
    this.view = "tiles";
    this.shown = data.photo?.address;
    this.#begin();
    root.addEventListener("click", (event) => this.#onPhoto(event));
  }

  /** The photo first where there is one, and what is in doubt about it. */
  #begin() {
    const { photo } = this.data;
    this.view = this.hand.counted !== null ? "number" : photo ? "photo" : "tiles";
    this.picked = photo ? (model.doubts(this.hand)[0] ?? null) : null;
  }

  message() {
    return { hand: model.dataOf(this.hand), before: this.before };
  }

  adopt() {
    this.before = this.data.hand;
    const address = this.data.photo?.address;
    if (address !== this.shown) {
      this.shown = address;
      this.past = [];
      this.hand = model.handOf(this.data.hand);
      this.#begin();
      return;
    }
    const fresh = model.handOf(this.data.hand);
    if (JSON.stringify(fresh) !== JSON.stringify(this.hand)) {
      this.hand = fresh;
      if (this.picked !== null && this.picked >= fresh.tiles.length) this.picked = null;
    }
  }

  markup() {
    return handMarkup(this);
  }

  /** @param {Hand} hand */
  set(hand) {
    this.past.push(this.hand);
    this.hand = hand;
    this.changed();
  }

  /** The next doubt, or none: what was asked is answered. */
  #next() {
    const left = model.doubts(this.hand);
    const from = this.picked ?? -1;
    this.picked = left.find((number) => number > from) ?? left[0] ?? null;
  }

  /**
   * @param {string} what
   * @param {string} value
   */
  act(what, value) {
    const picked = this.picked;
    if (what === "view") {
      this.view = /** @type {View} */ (value);
      this.picked = null;
    } else if (what === "pick") this.picked = Number(value);
    else if (what === "close") this.picked = null;
    else if (what === "doubts") {
      if (this.data.photo) this.view = "photo";
      this.picked = null;
      this.#next();
    } else if (what === "number") this.number = Number(value);
    else if (what === "digit") this.typed = `${this.typed}${value}`.replace(/^0+(?=\d)/, "").slice(0, 4);
    else if (what === "erase") this.typed = this.typed.slice(0, -1);
    else {
      this.#change(what, value, picked);
      return;
    }
    this.draw();
  }

  /**
   * @param {string} what
   * @param {string} value
   * @param {number | null} picked
   */
  #change(what, value, picked) {
    const { hand } = this;
    if (what === "undo") {
      const before = this.past.pop();
      if (!before) return;
      this.hand = before;
      this.picked = null;
      this.changed();
    } else if (what === "complete") this.set({ ...hand, incomplete: false });
    else if (what === "toggle") this.set(model.toggled(hand, parseTile(value)));
    else if (what === "count") {
      this.set(model.countedHand(Number(this.typed || "0"), value === "blank"));
      this.typed = "";
    } else if (picked === null) return;
    else if (what === "low" || what === "high") {
      this.set(model.withHalf(hand, picked, what === "low" ? 0 : 1, Number(value)));
    } else if (what === "confirm" || what === "runner" || what === "remove") {
      if (what === "confirm") this.hand = model.confirmed(hand, picked);
      if (what === "runner") this.hand = model.withTile(hand, picked, parseTile(value));
      if (what === "remove") this.hand = model.without(hand, picked);
      this.past.push(hand);
      if (what === "remove") this.picked = picked - 1;
      this.#next();
      this.changed();
    }
  }

  /**
   * A tap on the photo picks the domino that is nearest, within a finger's width.
   * @param {MouseEvent} event
   */
  #onPhoto(event) {
    const target = /** @type {Element} */ (event.target);
    const frame = target.closest(".hand-photo");
    const { photo } = this.data;
    if (!frame || !photo || target.closest("button")) return;
    const box = frame.getBoundingClientRect();
    const scale = photo.width / box.width;
    const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    const places = this.hand.tiles.flatMap(({ place }, number) => {
      const corners = place === null ? undefined : photo.dominoes[place]?.corners;
      if (!corners) return [];
      const middle = middleOf(corners);
      return [{ number, distance: Math.hypot(middle[0] - x, middle[1] - y), corners }];
    });
    const [nearest] = places.sort((a, b) => a.distance - b.distance);
    if (!nearest || nearest.distance > Math.max(sizeOf(nearest.corners), 32 * scale)) return;
    this.picked = nearest.number;
    this.draw();
  }
}

/** @param {[number, number][]} corners @returns {[number, number]} */
export function middleOf(corners) {
  const sum = corners.reduce(([a, b], [x, y]) => [a + x, b + y], [0, 0]);
  return [sum[0] / corners.length, sum[1] / corners.length];
}

/** @param {[number, number][]} corners */
function sizeOf(corners) {
  const [x, y] = middleOf(corners);
  return Math.max(...corners.map(([a, b]) => Math.hypot(a - x, b - y)));
}
