// @ts-check
/** What somebody has left: on the photo, on a pad of the set, or as a number. */

import { button, quoted } from "../../shell/static/markup.mjs";
import * as model from "./model.mjs";
import { drawTile, formatTile, nameOf, parseTile, sameTile, tileOf } from "./model.mjs";
import { Piece } from "./piece.mjs";

/**
 * @typedef {import("./model.mjs").Hand} Hand
 * @typedef {import("./model.mjs").Kept} Kept
 */

/**
 * @typedef {{address: string, width: number, height: number,
 *   dominoes: {corners: [number, number][], runner: string | null}[]}} Photo
 * @typedef {{answers?: {client: string, seq: number}, words: Record<string, string>,
 *   hand: import("./model.mjs").HandData | null, photo: Photo | null, highest: number,
 *   middle: string | null, costs: boolean, counting: boolean,
 *   elsewhere: Record<string, string>}} HandState
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
    this.resume();
  }

  /** @param {{hand: any, before: any}} left */
  take({ hand, before }) {
    this.past.push(this.hand);
    this.hand = model.handOf(hand);
    this.before = before;
    this.#begin();
  }

  /** The photo first where there is one, and what is in doubt about it. */
  #begin() {
    const { photo } = this.data;
    this.view = this.hand.counted !== null ? "number" : photo ? "photo" : "tiles";
    this.picked = photo ? (model.doubts(this.hand)[0] ?? null) : null;
  }

  message() {
    // Where everything is undone, nothing is known of the hand: it is not one without dominoes.
    const hand = this.hand === model.EMPTY ? null : model.dataOf(this.hand);
    return { hand, before: this.before };
  }

  adopt() {
    this.before = this.data.hand;
    this.hand = model.handOf(this.data.hand);
    const address = this.data.photo?.address;
    if (address !== this.shown) {
      this.shown = address;
      this.past = [];
      this.#begin();
    } else if (this.picked !== null && this.picked >= this.hand.tiles.length) this.picked = null;
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
function middleOf(corners) {
  const sum = corners.reduce(([a, b], [x, y]) => [a + x, b + y], [0, 0]);
  return [sum[0] / corners.length, sum[1] / corners.length];
}

/** @param {[number, number][]} corners */
function sizeOf(corners) {
  const [x, y] = middleOf(corners);
  return Math.max(...corners.map(([a, b]) => Math.hypot(a - x, b - y)));
}

const ICONS = {
  undo: '<path d="M9 7H15a5 5 0 0 1 0 10H8"/><path d="M12 3.5 8.5 7l3.5 3.5"/>',
  close: '<path d="M6 6l12 12M18 6 6 18"/>',
  check: '<path d="M5 12.5l4.5 4.5L19 7.5"/>',
  trash:
    '<path d="M5 7h14"/><path d="M9.5 7V4.5h5V7"/><path d="M7 7l1 13h8l1-13"/>',
  doubt:
    '<circle cx="12" cy="12" r="9" stroke-dasharray="3.5 3"/><path d="M9.6 9.6a2.5 2.5 0 1 1 3.6 ' +
    '2.2c-.9.5-1.2 1-1.2 1.9"/><path d="M12 16.6v.2"/>',
  erase: '<path d="M8 6h11v12H8l-5-6z"/><path d="M11 10l4 4M15 10l-4 4"/>',
};

/** @param {keyof ICONS} name */
function icon(name) {
  return `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${ICONS[name]}</svg>`;
}

/** @param {HandPiece} piece */
function handMarkup(piece) {
  const { data, view } = piece;
  const body =
    view === "photo" && data.photo
      ? photoMarkup(piece, data.photo)
      : view === "number"
        ? numberMarkup(piece)
        : padMarkup(piece);
  return `${sumMarkup(piece)}${tabs(piece)}${missing(piece)}${body}${sheet(piece)}`;
}

/** @param {HandPiece} piece */
function sumMarkup(piece) {
  const { hand, data } = piece;
  const points = model.points(hand, data.costs);
  const left = model.doubts(hand).length;
  const blank = points > model.pips(hand);
  const detail = blank
    ? piece.say("hand.with_blank", { pips: model.pips(hand) })
    : hand.counted === null
      ? piece.say(hand.tiles.length === 1 ? "hand.tiles.one" : "hand.tiles.several", {
          count: hand.tiles.length,
        })
      : piece.say("hand.counted");
  const doubts = left
    ? button("doubts", `${icon("doubt")}${piece.say("hand.check", { count: left })}`, {
        look: "doubts",
      })
    : "";
  const undo = button("undo", icon("undo"), {
    name: piece.say("undo"),
    off: !piece.past.length,
    look: "bare",
  });
  return (
    `<div class="hand-sum"><p class="figure" aria-live="polite"><strong>${points}</strong> ` +
    `<span>${piece.say(points === 1 ? "points.unit.one" : "points.unit.several")}<br>` +
    `<small>${detail}</small></span></p>${doubts}${undo}</div>${piece.late()}`
  );
}

/**
 * Where the reader may have missed a domino, somebody has to look.
 * @param {HandPiece} piece
 */
function missing(piece) {
  if (!piece.hand.incomplete) return "";
  const right = button("complete", `${icon("check")}${piece.say("hand.all_there")}`);
  return `<div class="notice"><p class="grow">${piece.say("hand.missing")}</p>${right}</div>`;
}

/** @param {HandPiece} piece */
function tabs(piece) {
  const views = [
    ...(piece.data.photo ? ["photo"] : []),
    "tiles",
    ...(piece.data.counting ? ["number"] : []),
  ];
  if (views.length < 2) return "";
  const each = views.map((view) =>
    button("view", piece.say(`hand.view.${view}`), { value: view, pressed: view === piece.view }),
  );
  return `<div class="tabs" role="group" aria-label="${piece.say("hand.views")}">${each.join("")}</div>`;
}

/** @param {HandPiece} piece @param {Photo} photo */
function photoMarkup(piece, photo) {
  const { hand } = piece;
  const doubts = model.doubts(hand);
  const placed = hand.tiles.flatMap((kept, number) => {
    const found = kept.place === null ? undefined : photo.dominoes[kept.place];
    return found ? [{ kept, number, corners: found.corners }] : [];
  });
  const outlines = placed.map(({ number, corners }) => {
    const look = [doubts.includes(number) ? "doubtful" : "", number === piece.picked ? "picked" : ""];
    const points = corners.map((corner) => corner.join(",")).join(" ");
    return `<polygon class="${look.join(" ").trim()}" points="${points}"/>`;
  });
  const chips = placed.map(({ kept, number, corners }) => {
    const [x, y] = middleOf(corners);
    const doubtful = doubts.includes(number);
    return button("pick", `${kept.tile.low}<i></i>${kept.tile.high}`, {
      value: number,
      name: piece.say(doubtful ? "hand.tile_doubtful" : "hand.tile", { tile: nameOf(kept.tile) }),
      pressed: number === piece.picked,
      look: doubtful ? "chip doubtful" : "chip",
      style: `left:${((100 * x) / photo.width).toFixed(2)}%;top:${((100 * y) / photo.height).toFixed(2)}%`,
    });
  });
  const line = (1.6 * photo.width) / 390;
  return (
    `<div class="hand-photo" style="aspect-ratio:${photo.width}/${photo.height};--line:${line}px">` +
    `<img src="${quoted(photo.address)}" alt="${quoted(piece.say("hand.photo"))}">` +
    `<svg viewBox="0 0 ${photo.width} ${photo.height}" aria-hidden="true">${outlines.join("")}</svg>` +
    `${chips.join("")}</div>${listMarkup(piece, (kept) => kept.place === null)}`
  );
}

/**
 * The tiles of the hand as buttons.
 * @param {HandPiece} piece
 * @param {(kept: Kept) => boolean} [shown]
 */
function listMarkup(piece, shown = () => true) {
  const doubts = model.doubts(piece.hand);
  const tiles = piece.hand.tiles.flatMap((kept, number) => {
    if (!shown(kept)) return [];
    const doubtful = doubts.includes(number);
    const name = doubtful ? "hand.tile_doubtful" : "hand.tile";
    return [
      button("pick", drawTile(kept.tile) + figures(kept.tile), {
        value: number,
        name: piece.say(name, { tile: nameOf(kept.tile) }),
        pressed: number === piece.picked,
        look: doubtful ? "domino doubtful" : "domino",
      }),
    ];
  });
  return tiles.length ? `<div class="dominoes">${tiles.join("")}</div>` : "";
}

/** @param {import("./model.mjs").Tile} tile */
function figures(tile) {
  return `<span class="figures" aria-hidden="true"><b>${tile.low}</b><b>${tile.high}</b></span>`;
}

/** @param {HandPiece} piece */
function padMarkup(piece) {
  const { data, hand, number } = piece;
  const numbers = range(data.highest).map((each) =>
    button("number", String(each), { value: each, pressed: each === number, look: "key" }),
  );
  const tiles = range(data.highest).map((other) => {
    const tile = tileOf(number, other);
    const text = formatTile(tile);
    const held = hand.tiles.some((each) => sameTile(each.tile, tile));
    const owner = data.elsewhere[text];
    const name = piece.say(owner ? "hand.tile_of" : "hand.tile", {
      tile: nameOf(tile),
      name: owner ?? "",
    });
    const said = owner ? `<small>${quoted(owner)}</small>` : figures(tile);
    return button("toggle", drawTile(tile) + said, {
      value: text,
      name,
      pressed: held,
      off: text === data.middle,
      look: "domino",
    });
  });
  // What was tapped stands below, so that no key moves away under the finger.
  return (
    `<h2 class="label">${piece.say("hand.with_number")}</h2>` +
    `<div class="keys" role="group" aria-label="${piece.say("hand.with_number")}">${numbers.join("")}</div>` +
    `<div class="dominoes pad-of-set" role="group" aria-label="${piece.say("hand.set")}">${tiles.join("")}</div>` +
    (listMarkup(piece) || `<p class="soft">${piece.say("hand.tap_tiles")}</p>`)
  );
}

/** @param {HandPiece} piece */
function numberMarkup(piece) {
  const { typed, hand, data } = piece;
  const shown = typed || (hand.counted === null ? "" : String(hand.counted));
  const digits = ["1", "2", "3", "4", "5", "6", "7", "8", "9"].map((digit) =>
    button("digit", digit, { value: digit, look: "key" }),
  );
  const zero = button("digit", "0", { value: "0", look: "key" });
  const erase = button("erase", icon("erase"), { name: piece.say("hand.erase"), look: "key" });
  const finish = data.costs
    ? `<p class="question">${piece.say("hand.blank_question")}</p>` +
      button("count", piece.say("hand.blank_no"), { value: "plain", look: "main middle", off: !typed }) +
      button("count", piece.say("hand.blank_yes"), { value: "blank", look: "middle", off: !typed })
    : button("count", piece.say("hand.take"), { value: "plain", look: "main middle", off: !typed });
  return (
    `<p class="typed" aria-live="polite">${shown || "&nbsp;"}</p>` +
    `<div class="digits">${digits.join("")}<span></span>${zero}${erase}</div>` +
    `<div class="finish">${finish}</div>`
  );
}

/** @param {HandPiece} piece */
function sheet(piece) {
  const kept = piece.picked === null ? undefined : piece.hand.tiles[piece.picked];
  if (!kept) return "";
  const { data } = piece;
  const { tile } = kept;
  const doubtful = model.doubts(piece.hand).includes(piece.picked ?? -1);
  const found = kept.place === null ? undefined : data.photo?.dominoes[kept.place];
  const runner = found?.runner ? parseTile(found.runner) : null;
  const twice = model.isTwice(piece.hand.tiles, kept);
  const why = twice
    ? piece.say("hand.twice", { tile: nameOf(tile) })
    : doubtful && tile.high === 0 && data.costs
      ? piece.say("hand.blank_sure")
      : doubtful
        ? piece.say("hand.sure")
        : "";
  const right = button("confirm", `${icon("check")}${piece.say("hand.right")}`, { look: "main" });
  const rather =
    runner && !sameTile(runner, tile)
      ? button("runner", drawTile(runner) + figures(runner), {
          value: formatTile(runner),
          name: piece.say("hand.rather", { tile: nameOf(runner) }),
          look: "domino",
        })
      : "";
  const answers = doubtful && !twice ? `<div class="answers">${right}${rather}</div>` : "";
  return (
    `<section class="sheet" role="group" aria-label="${quoted(piece.say("hand.tile", { tile: nameOf(tile) }))}">` +
    `<div class="sheet-head">${found && data.photo ? crop(data.photo, found.corners) : ""}` +
    `<span class="domino shown">${drawTile(tile)}${figures(tile)}</span>` +
    `${button("remove", icon("trash"), { name: piece.say("hand.remove"), look: "bare" })}` +
    `${button("close", icon("close"), { name: piece.say("sheet.close"), look: "bare" })}</div>` +
    `${why ? `<p class="question">${why}</p>` : ""}${answers}` +
    `${halves(piece, "low", tile.low)}${halves(piece, "high", tile.high)}</section>`
  );
}

/**
 * @param {HandPiece} piece
 * @param {"low" | "high"} which
 * @param {number} now
 */
function halves(piece, which, now) {
  const keys = range(piece.data.highest).map((each) =>
    button(which, String(each), { value: each, pressed: each === now, look: "key" }),
  );
  const name = piece.say(`hand.half.${which}`);
  return `<h2 class="label">${name}</h2><div class="keys" role="group" aria-label="${name}">${keys.join("")}</div>`;
}

/**
 * The domino on the photo, enlarged.
 * @param {Photo} photo
 * @param {[number, number][]} corners
 */
function crop(photo, corners) {
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const side = Math.max(Math.max(...xs) - x, Math.max(...ys) - y, 1) * 1.25;
  const size = 112;
  const scale = size / side;
  const [cx, cy] = [(x + Math.max(...xs)) / 2, (y + Math.max(...ys)) / 2];
  const place = [side / 2 - cx, side / 2 - cy].map((each) => `${(each * scale).toFixed(1)}px`);
  const style =
    `width:${size}px;height:${size}px;background-image:url('${quoted(photo.address)}');` +
    `background-size:${(photo.width * scale).toFixed(1)}px auto;background-position:${place.join(" ")}`;
  return `<span class="crop" style="${style}" aria-hidden="true"></span>`;
}

/** @param {number} highest */
function range(highest) {
  return Array.from({ length: highest + 1 }, (_, number) => number);
}
