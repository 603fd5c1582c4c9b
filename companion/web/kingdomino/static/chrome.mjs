// @ts-check
/** The bars above and below the board, as markup. */

import { button, quoted } from "../../shell/static/dom.mjs";
import { sign } from "./icons.mjs";
import { say, sayCount } from "./words.mjs";

/**
 * @typedef {import("./types.mjs").Words} Words
 */

/**
 * @param {{words: Words, title: string | null, colour: string | null, points: number,
 *   canUndo: boolean, canRedo: boolean, condition: string, notice: string | null}} head
 */
export function header({ words, title, colour, points, canUndo, canRedo, condition, notice }) {
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
      name: say(words, "undo"), off: !canUndo })}` +
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
