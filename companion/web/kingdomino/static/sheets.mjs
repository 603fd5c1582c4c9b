// @ts-check
/**
 * What stands above and under the board, as markup: points, buttons, the sheet of what can be done now.
 */

import { button, quoted, say, sayCount } from "../../shell/static/markup.mjs";
import { crop, picture, pieceMark, pieceNames, sign, squareName } from "./drawing.mjs";
import {
  CHARACTERS, MAX_BY_HAND, MAX_CROWNS, MAX_SIDE, TERRAINS, hasTokens, isAsked, offersAt, parseSquare,
  pieceParts, readAt, squareText,
} from "./kingdom.mjs";

/**
 * @typedef {import("./board.mjs").Board} Board
 * @typedef {import("./messages.mjs").Bonus} Bonus
 * @typedef {import("./messages.mjs").Photo} Photo
 * @typedef {import("./messages.mjs").Point} Point
 * @typedef {import("./messages.mjs").Territory} Territory
 * @typedef {import("./messages.mjs").Words} Words
 */

/**
 * @param {{words: Words, title: string | null, colour: string | null, points: number,
 *   canUndo: boolean, canRedo: boolean, undoes?: string, condition: string, notice: string | null}} head
 */
export function header({
  words, title, colour, points, canUndo, canRedo, undoes = "", condition, notice,
}) {
  const flag = colour ? `<i class="flag castle-${quoted(colour)}"></i>` : "";
  const name = title ? `<span class="name">${flag}${quoted(title)}</span>` : "";
  // In place of the unit, so that the board stays where it is.
  const unit =
    condition === "late"
      ? `<span class="condition">${sign("waiting")}<span>${say(words, "sync.late")}</span></span>`
      : `<span class="unit" aria-hidden="true">` +
        `${say(words, points === 1 ? "points.unit.one" : "points.unit.several")}</span>`;
  return (
    `<div class="total">${name}<span class="figure"><span class="number" aria-hidden="true" ` +
    `data-keep></span>${unit}</span></div>` +
    `<div class="history">${button("undo", sign("undo"), {
      name: say(words, "undo") + (undoes && `: ${undoes}`), off: !canUndo })}` +
    `${button("redo", sign("redo"), { name: say(words, "redo"), off: !canRedo })}</div>` +
    (notice ? `<p class="notice" role="alert">${quoted(notice)}</p>` : "")
  );
}

/**
 * @param {{words: Words, doubts: number, photo: boolean, onPhoto: boolean, mode: string}} bar
 */
export function toolbar({ words, doubts, photo, onPhoto, mode }) {
  const views = photo
    ? `<div class="views" role="group" aria-label="${quoted(say(words, "view.name"))}">` +
      button("view", sign("photo") + `<span>${say(words, "view.photo")}</span>`, {
        value: "photo", pressed: onPhoto }) +
      button("view", sign("plan") + `<span>${say(words, "view.plan")}</span>`, {
        value: "plan", pressed: !onPhoto }) +
      "</div>"
    : "";
  const check = doubts
    ? button("doubts", sign("doubt") + `<span>${sayCount(words, "doubts", doubts)}</span>`, {
        look: "doubts", pressed: mode === "doubts" })
    : "";
  return (
    check +
    views +
    button("paint", sign("brush") + `<span>${say(words, "paint.name")}</span>`, {
      pressed: mode === "paint" }) +
    button("size", sign("more") + `<span>${say(words, "size.short")}</span>`, {
      pressed: mode === "size" })
  );
}

/** @param {Words} words */
export function zoomButtons(words) {
  return (
    button("zoom", sign("plus"), { name: say(words, "zoom.in"), value: "1.6" }) +
    button("zoom", sign("minus"), { name: say(words, "zoom.out"), value: "0.625" }) +
    button("fit", sign("fit"), { name: say(words, "zoom.fit") })
  );
}

/**
 * @param {Board} board
 * @param {import("./scene.mjs").Shown} shown
 */
export function sheetOf(board, shown) {
  const { words, snapshot, dossier } = board;
  const [rows, columns] = [snapshot.rows.length, snapshot.rows[0].length];
  if (board.mode === "paint") {
    return paintSheet(words, board.brush) + pieces(board, board.brush, null);
  }
  if (board.mode === "size") {
    return sizeSheet({ words, rows, columns, photo: dossier.photo !== null, crops: board.crops });
  }
  if (board.corners) {
    return cornersSheet({ words, rows: board.corners.rows, columns: board.corners.columns,
      good: board.corners.good, waiting: board.waiting });
  }
  const place = board.selected;
  if (!place) {
    return pointsSheet({ words, territories: shown.territories,
      bonuses: board.state.score?.bonuses ?? [], lit: board.lit });
  }
  const index = shown.doubts.findIndex((each) => String(each) === String(place));
  const known = dossier.photo && dossier.reading;
  const chosen = {
    words, value: board.cell(place), doubtful: index >= 0,
    offers: offersAt(snapshot, dossier.reading, place, board.open),
    why: index >= 0 ? whyOf(board, place) : "",
    step: { index: index + 1, count: shown.doubts.length },
    photo: dossier.photo,
    corners: known ? board.stage.scene.photoCorners(shown, place) : null,
  };
  if (board.mode === "doubts") return doubtSheet(chosen);
  return squareSheet(chosen) + pieces(board, chosen.value, place);
}

/**
 * What makes a square doubtful besides its label, in words.
 * @param {Board} board
 * @param {import("./messages.mjs").Place} place
 */
function whyOf({ words, snapshot, dossier, open }, place) {
  return isAsked(snapshot, place, open)
    ? say(words, "doubt.box") : readAt(snapshot, dossier.reading, place)?.why ?? "";
}

/**
 * What can lie on a square of The Court, where it is played or something of it lies there: token,
 * buildings, characters, and the points of a character by hand.
 * @param {Board} board
 * @param {string} value
 * @param {import("./messages.mjs").Place | null} place
 */
function pieces({ words, state }, value, place) {
  const square = parseSquare(value);
  if (!square?.terrain || !(state.court || square.piece)) return "";
  const { terrain, piece, crowns } = square;
  const { character } = pieceParts(piece);
  const kinds = [...(hasTokens(terrain) ? ["*"] : []), "+1", "+2", ...CHARACTERS.map((each) => `:${each}`)];
  const buttons = kinds.map((kind) => {
    const drawn = pieceMark({ ...square, piece: kind }, 0, 0, 1);
    return button("piece", `<svg class="sign" viewBox="-13 -13 26 26" aria-hidden="true">${drawn}</svg>`, {
      name: pieceNames(words, terrain, kind)[0], value: kind, off: crowns > 0,
      pressed: piece === kind || (character !== "" && kind === `:${character}`),
    });
  });
  return (
    `<p class="label">${say(words, "pieces.name")}</p>` +
    `<div class="pieces" role="group" aria-label="${quoted(say(words, "pieces.name"))}">` +
    `${buttons.join("")}</div>${character ? byHand(words, state, piece, place) : ""}`
  );
}

/**
 * @param {Words} words
 * @param {import("./messages.mjs").State} state
 * @param {string} piece
 * @param {import("./messages.mjs").Place | null} place
 */
function byHand(words, state, piece, place) {
  const { character, byHand: given } = pieceParts(piece);
  const counted = state.score?.bonuses.find(({ squares }) => String(squares[0]) === String(place));
  const points = given ?? counted?.points ?? 0;
  /** @type {(count: number) => string} */
  const value = (count) => `:${character}:${count}`;
  return (
    `<div class="counter"><span>${say(words, given === null ? "points.counted" : "points.by_hand")}</span>` +
    button("piece", sign("minus"), {
      name: say(words, "points.fewer"), value: value(points - 1), off: points <= 0 }) +
    `<b>${points}</b>` +
    button("piece", sign("plus"), {
      name: say(words, "points.more"), value: value(points + 1), off: points >= MAX_BY_HAND }) +
    (given === null ? "" : button("piece", `<span>${say(words, "points.count_again")}</span>`, {
      value: `:${character}` })) +
    "</div>"
  );
}

/**
 * Every value a square can have, two taps from anywhere: a column a terrain, a row a number of
 * crowns, then castle, empty and giants.
 * @param {Words} words
 * @param {string | null} current the value that is set
 * @param {string} action
 */
export function palette(words, current, action) {
  const square = current === null ? null : parseSquare(current);
  const values = Array.from({ length: MAX_CROWNS + 1 }, (_, crowns) =>
    TERRAINS.map((terrain) => {
      const value = squareText(terrain, crowns);
      const pressed = square?.terrain === terrain && square.crowns === crowns;
      return button(action, swatch(value), { name: squareName(words, value), value, pressed });
    }).join(""),
  );
  const castle = button(action, `${picture("c")}<span>${say(words, "square.castle")}</span>`, {
    value: "c", pressed: current === "c", look: "wide",
  });
  const empty = button(action, `${picture(".")}<span>${say(words, "square.empty")}</span>`, {
    value: ".", pressed: current === ".", look: "wide",
  });
  return (
    `<div class="palette" role="group" aria-label="${quoted(say(words, "palette.name"))}">` +
    `${values.join("")}</div><div class="others">${castle}${empty}${giants(words, square)}</div>`
  );
}

/**
 * @param {Words} words
 * @param {import("./messages.mjs").Square | null} square
 */
function giants(words, square) {
  const [count, most] = [square?.giants ?? 0, square?.crowns ?? 0];
  const figure =
    '<svg class="giant" viewBox="0 0 24 24" aria-hidden="true"><path d="M2 23q0-12 10-12t10 12z"/>' +
    '<circle cx="12" cy="7" r="6"/><path class="eyes" d="M9 6.500h2M13 6.500h2"/></svg>';
  return (
    `<div class="giants" role="group" aria-label="${quoted(say(words, "giants.name"))}">` +
    button("giants", sign("minus"), {
      name: say(words, "giants.fewer"), value: String(count - 1), off: count === 0,
    }) +
    `<span class="count">${figure}${count}</span>` +
    button("giants", sign("plus"), {
      name: say(words, "giants.more"), value: String(count + 1), off: count >= most,
    }) +
    "</div>"
  );
}

/** @param {string} value */
function swatch(value) {
  const square = parseSquare(value);
  const marks = Array.from(
    { length: square?.crowns ?? 0 },
    () => '<svg class="mini" viewBox="0 0 24 20"><use href="#crown" width="24" height="20"/></svg>',
  );
  const ground = `<svg class="swatch" viewBox="0 -3 100 95" preserveAspectRatio="xMidYMin">` +
    `<use href="#tile-${square?.terrain}" width="100" height="100"/></svg>`;
  return `<span class="face ground-${square?.terrain}" aria-hidden="true">${ground}<span class="minis">${marks.join("")}</span></span>`;
}

/**
 * @typedef {{words: Words, value: string, doubtful: boolean, offers: string[], why: string,
 *   step: {index: number, count: number}, photo: Photo | null, corners: Point[] | null}} Chosen
 */

/**
 * The sheet of a square: what it is, what it may be, all that it can be.
 * @param {Chosen} chosen
 */
export function squareSheet(chosen) {
  const { words, value, doubtful, offers, why } = chosen;
  const yes = doubtful ? [yesButton(words)] : [];
  const choices = [...yes, ...offers.map((offer) => offerButton(words, offer))].join("");
  return (
    `<div class="head">${seen(chosen)}<div class="titles">` +
    `<h2>${quoted(squareName(words, value))}</h2>${reason(why)}</div>` +
    `${button("close", sign("close"), { name: say(words, "sheet.close"), look: "quiet" })}</div>` +
    (choices ? `<div class="choices">${choices}</div>` : "") +
    palette(words, value, "set")
  );
}

/**
 * One doubt at a time: the square enlarged, and what it may be.
 * @param {Chosen} chosen
 */
export function doubtSheet(chosen) {
  const { words, value, offers, step, why } = chosen;
  const stepper =
    step.count > 1
      ? button("last-doubt", sign("back"), { name: say(words, "doubt.last"), look: "quiet" }) +
        button("next-doubt", sign("next"), { name: say(words, "doubt.next"), look: "quiet" })
      : "";
  return (
    `<div class="head"><div class="titles"><p class="place">` +
    `${step.count > 1 ? say(words, "doubt.count", step) : ""}</p>` +
    `<h2>${quoted(say(words, "doubt.question", { square: squareName(words, value) }))}</h2>${reason(why)}</div>` +
    `${stepper}${button("close", sign("close"), { name: say(words, "sheet.close"), look: "quiet" })}` +
    `</div><div class="answer">${seen(chosen)}<div class="choices">${yesButton(words)}` +
    offers.map((offer) => offerButton(words, offer)).join("") +
    `${button("anything", `<span>${say(words, "doubt.anything")}</span>`)}</div></div>`
  );
}

/** @param {string} why */
function reason(why) {
  return why ? `<p class="why">${quoted(why)}</p>` : "";
}

/** @param {Chosen} chosen */
function seen({ words, value, photo, corners }) {
  if (!photo || !corners) return picture(value, "seen");
  const name = quoted(say(words, "square.on_photo"));
  return (
    `<svg class="seen" viewBox="-8 -8 116 116" role="img" aria-label="${name}">` +
    `${crop(photo, corners)}</svg>`
  );
}

/** @param {Words} words */
function yesButton(words) {
  return button("confirm", sign("check") + `<span>${say(words, "doubt.right")}</span>`, {
    look: "main" });
}

/**
 * @param {Words} words
 * @param {string} value
 */
function offerButton(words, value) {
  const name = quoted(say(words, "doubt.rather", { square: squareName(words, value) }));
  return button("offer", `${picture(value)}<span>${name}</span>`, { value, look: "offer" });
}

/**
 * The sheet while painting.
 * @param {Words} words
 * @param {string} brush
 */
export function paintSheet(words, brush) {
  return (
    `<div class="head"><div class="titles"><p class="place">${say(words, "paint.hint")}</p>` +
    `<h2>${quoted(squareName(words, brush))}</h2></div>` +
    `${button("close", sign("check") + `<span>${say(words, "sheet.done")}</span>`, { look: "main" })}` +
    `</div>${palette(words, brush, "brush")}`
  );
}

/**
 * Rows, columns, moving, turning, clearing, corners.
 * @param {{words: Words, rows: number, columns: number, photo: boolean, crops: boolean}} board
 */
export function sizeSheet({ words, rows, columns, photo, crops }) {
  const sides = /** @type {const} */ (["top", "left", "right", "bottom"]);
  /** @type {(side: string) => string} */
  const lines = (side) => {
    const across = side === "top" || side === "bottom";
    const count = across ? rows : columns;
    return (
      `<div class="line ${side}">` +
      button("less", sign("minus"), {
        name: say(words, `line.less.${side}`), value: side, off: count <= 1 }) +
      button("more-lines", sign("plus"), {
        name: say(words, `line.more.${side}`), value: side, off: count >= MAX_SIDE }) +
      "</div>"
    );
  };
  const arrows = [["top", "up"], ["left", "left"], ["right", "right"], ["bottom", "down"]].map(
    ([side, arrow]) =>
      button("move", sign(arrow), { name: say(words, `move.${side}`), value: side }),
  );
  return (
    `<div class="head"><div class="titles"><h2>${say(words, "size.name")}</h2></div>` +
    `${button("close", sign("check") + `<span>${say(words, "sheet.done")}</span>`, { look: "main" })}</div>` +
    `<div class="cross">${sides.map(lines).join("")}` +
    `<p class="size">${columns} × ${rows}</p></div>` +
    `<p class="label">${say(words, "move.name")}</p><div class="row">${arrows.join("")}</div>` +
    `<div class="row text">${button("turn", sign("turn") + `<span>${say(words, "turn")}</span>`)}` +
    `${button("clear", sign("clear") + `<span>${say(words, "clear")}</span>`)}` +
    (photo ? button("corners", sign("corners") + `<span>${say(words, "corners.name")}</span>`) : "") +
    (photo
      ? button("crops", sign("crops") + `<span>${say(words, "crops")}</span>`, { pressed: crops })
      : "") +
    "</div>"
  );
}

/**
 * @param {{words: Words, rows: number, columns: number, good: boolean, waiting: boolean}} corners
 */
export function cornersSheet({ words, rows, columns, good, waiting }) {
  if (waiting) {
    return (
      `<div class="head"><div class="titles"><h2>${say(words, "corners.reading")}</h2></div>` +
      `${button("close", `<span>${say(words, "corners.cancel")}</span>`)}</div>` +
      '<div class="progress"><i></i></div>'
    );
  }
  /** @type {(code: string, count: number) => string} */
  const counter = (code, count) =>
    `<div class="counter"><span>${say(words, code)}</span>` +
    button("grid", sign("minus"), {
      name: say(words, `${code}.less`), value: `${code} -1`, off: count <= 1 }) +
    `<b>${count}</b>` +
    button("grid", sign("plus"), {
      name: say(words, `${code}.more`), value: `${code} 1`, off: count >= MAX_SIDE }) +
    "</div>";
  return (
    `<div class="head"><div class="titles"><p class="place">${say(words, "corners.hint")}</p>` +
    `<h2>${say(words, "corners.name")}</h2></div></div>` +
    `<div class="row">${counter("corners.columns", columns)}${counter("corners.rows", rows)}</div>` +
    `<div class="row text">${button("close", `<span>${say(words, "corners.cancel")}</span>`)}` +
    `${button("read-corners", sign("check") + `<span>${say(words, "corners.read")}</span>`, {
      look: "main", off: !good })}</div>`
  );
}

/**
 * Where the points come from; a tap shows the squares.
 * @param {{words: Words, territories: Territory[], bonuses: Bonus[], lit: string | null}} points
 */
export function pointsSheet({ words, territories, bonuses, lit }) {
  const scoring = territories.filter(({ points }) => points);
  if (!scoring.length && !bonuses.length) {
    return `<p class="nothing">${say(words, "points.nothing")}</p>`;
  }
  const lines = scoring.map((each, index) => {
    const { terrain, squares, crowns, points } = each;
    const name = `${say(words, `terrain.${terrain}`)}: ${sayCount(words, "squares", squares.length)}` +
      ` × ${sayCount(words, "crowns", crowns)} = ${points}`;
    return button("light", `<span class="hidden">${quoted(name)}</span>` + picture(terrain) +
      `<span aria-hidden="true">${squares.length} × ${crowns}</span>` +
      `<b aria-hidden="true">${points}</b>`, {
      value: `t${index}`, pressed: lit === `t${index}`, look: "source" });
  });
  const extra = bonuses.map(({ name, points }, index) =>
    button("light", `<span>${quoted(name)}</span><b>${points}</b>`, {
      value: `b${index}`, pressed: lit === `b${index}`, look: "source bonus" }),
  );
  return `<div class="sources">${lines.join("")}${extra.join("")}</div>`;
}

const ROLL_MS = 450;

export class RollingNumber {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.shown = 0;
    this.target = 0;
    this.frame = 0;
    element.textContent = "0";
  }

  /**
   * @param {number} value
   * @param {boolean} [atOnce]
   */
  show(value, atOnce = false) {
    if (value === this.target && !atOnce) return;
    cancelAnimationFrame(this.frame);
    const [from, since] = [this.shown, performance.now()];
    this.target = value;
    if (atOnce || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.#put(value);
      return;
    }
    const step = () => {
      const share = Math.min(1, (performance.now() - since) / ROLL_MS);
      this.#put(Math.round(from + (value - from) * (1 - (1 - share) ** 3)));
      if (share < 1) this.frame = requestAnimationFrame(step);
    };
    // The first step is taken at once: the change is on the screen with the tap that made it.
    this.#put(from + Math.sign(value - from));
    this.frame = requestAnimationFrame(step);
  }

  /** @param {number} value */
  #put(value) {
    this.shown = value;
    this.element.textContent = String(value);
  }
}
