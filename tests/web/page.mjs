// @ts-check
/**
 * A page without a browser for tests: what the scripts of the pages expect around them, from jsdom, and
 * what jsdom lacks in as few words as the tests need.
 *
 * Sizes are those that a test gives: `sized(element, box)`.
 */

import { JSDOM } from "jsdom";

import "./phone.mjs";

const dom = new JSDOM('<!doctype html><html lang="en"><head></head><body></body></html>', {
  url: "https://companion.test/?game=g1",
  pretendToBeVisual: true,
});
export const { window } = dom;
const NAMES = [
  "document", "location", "history", "Element", "HTMLElement", "HTMLInputElement", "HTMLAnchorElement",
  "SVGElement", "Node", "ShadowRoot", "Event", "MouseEvent", "KeyboardEvent", "FocusEvent",
  "PopStateEvent", "MutationObserver", "sessionStorage", "File", "Blob", "WheelEvent", "DOMException",
];
for (const name of NAMES) globalThis[name] = window[name];
for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"])
  globalThis[name] = window[name].bind(window);
globalThis.requestAnimationFrame = (work) => setTimeout(work, 16);
globalThis.cancelAnimationFrame = (id) => clearTimeout(id);

export class PointerEvent extends window.MouseEvent {
  constructor(type, { pointerId = 1, pointerType = "touch", coalesced, timeStamp, ...given } = {}) {
    super(type, { bubbles: true, cancelable: true, ...given });
    this.pointerId = pointerId;
    this.pointerType = pointerType;
    if (timeStamp !== undefined) Object.defineProperty(this, "timeStamp", { value: timeStamp });
    if (coalesced) this.getCoalescedEvents = () => coalesced;
  }
}

/** Elements whose finger was captured, the newest last. */
export const captured = [];
window.Element.prototype.setPointerCapture = function (id) {
  captured.push([this, id]);
};
/** Elements that were scrolled to, with how. */
export const scrolledTo = [];
window.Element.prototype.scrollIntoView = function (how) {
  scrolledTo.push([this, how]);
};
globalThis.scrollTo = (x, y) => scrolledTo.push([window, { x, y }]);

export class Watcher {
  constructor(resized) {
    this.resized = resized;
    this.elements = [];
  }
  observe(element) {
    watchers.add(this);
    this.elements.push(element);
  }
  disconnect() {
    this.elements = [];
    watchers.delete(this);
  }
}
export const watchers = new Set();
globalThis.ResizeObserver = Watcher;
globalThis.IntersectionObserver = /** @type {any} */ (Watcher);
/** Tells whoever watches an element that it has another size. */
export function resized(element) {
  for (const each of [...watchers]) if (each.elements.includes(element)) each.resized();
}

/** What the phone prefers or is, by the text of the query. */
export const media = { "(prefers-reduced-motion: reduce)": true };
globalThis.matchMedia = (query) => ({ matches: Boolean(media[query]) });
globalThis.isSecureContext = true;
Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true, writable: true });
globalThis.innerHeight = 844;

/** Gives an element a place on the screen, in CSS px. */
export function sized(element, { x = 0, y = 0, width, height }) {
  const box = { x, y, left: x, top: y, right: x + width, bottom: y + height, width, height };
  element.getBoundingClientRect = () => box;
  Object.defineProperty(element, "clientWidth", { value: width, configurable: true });
  Object.defineProperty(element, "clientHeight", { value: height, configurable: true });
  return element;
}

/** An element in an empty page. */
export function place(name = "div") {
  document.body.replaceChildren();
  return document.body.appendChild(document.createElement(name));
}

/** @param {Element} on @param {string} type @param {object} [given] */
export function point(on, type, given = {}) {
  const event = new PointerEvent(`pointer${type}`, given);
  on.dispatchEvent(event);
  return event;
}

/** A tap of a finger, with the click that browsers make of it. */
export function tap(on, given = {}) {
  point(on, "down", given);
  point(on, "up", given);
  const click = new PointerEvent("click", { detail: 1, ...given });
  on.dispatchEvent(click);
  return click;
}

/** @param {Element} on @param {string} key @param {object} [more] */
export function press(on, key, more = {}) {
  const event = new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  on.dispatchEvent(event);
  return event;
}
