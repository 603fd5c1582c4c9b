// @ts-check
/** Pieces of pages: markup brought in, taps and photos sent back; loaded once with the page. */

import { morph } from "./dom.mjs";
import { reduced } from "./shrinking.mjs";

/**
 * @typedef {{do: string, value: string}} Act
 * @typedef {{data: {markup: string, label: string, heard: {client: string, seq: number} | null},
 *   parentElement: HTMLElement,
 *   setTriggerValue: (name: string, value: unknown) => void}} Mounted
 */

/**
 * @typedef {{root: HTMLElement, mounted: Mounted, markup: string, unheard: (Act & {seq: number})[]}}
 *   Piece ``unheard`` are acts that the server has not answered: it runs one thing at a time, and
 *   of two taps that wait for it, Streamlit forgets the first
 */
/** @type {Map<HTMLElement, Piece>} */
const pieces = new Map();

const MAX_UNHEARD = 30;
const client = Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) =>
  byte.toString(36).padStart(2, "0"),
).join("");
let acted = 0;
let lastAnswer = "";
const MAX_WAIT_MS = 8000;
/** The address of a page that is gone to as soon as everything is answered. */
let leaving = "";

/** @param {Mounted} mounted */
function show(mounted) {
  const parent = mounted.parentElement;
  let piece = pieces.get(parent);
  if (!piece) {
    const root = parent.ownerDocument.createElement("div");
    root.className = "surface";
    parent.append(root);
    piece = { root, mounted, markup: "", unheard: [] };
    pieces.set(parent, piece);
    listen(root, parent);
  }
  piece.mounted = mounted;
  const { heard } = mounted.data;
  if (heard?.client === client)
    piece.unheard = piece.unheard.filter(({ seq }) => seq > heard.seq);
  piece.markup = mounted.data.markup;
  morph(piece.root, piece.markup);
  const answered = piece.root.querySelector("[data-answered]")?.getAttribute("data-answered");
  if (answered && answered !== lastAnswer) {
    lastAnswer = answered;
    clearWaiting();
  }
  for (const field of piece.root.querySelectorAll("input[data-do]")) {
    const input = /** @type {HTMLInputElement} */ (field);
    const wanted = input.getAttribute("value") ?? "";
    if (input !== input.ownerDocument.activeElement && input.value !== wanted) input.value = wanted;
  }
  leaveWhenAnswered();
  const shown = piece;
  return () => {
    shown.root.remove();
    pieces.delete(parent);
    leaveWhenAnswered();
  };
}

/**
 * @param {HTMLElement} root
 * @param {HTMLElement} parent
 */
function listen(root, parent) {
  /** @param {string} name @param {string} value */
  const act = (name, value) => {
    const piece = pieces.get(parent);
    if (!piece) return;
    acted += 1;
    piece.unheard = [...piece.unheard, { seq: acted, do: name, value }].slice(-MAX_UNHEARD);
    piece.mounted.setTriggerValue("act", { client, acts: piece.unheard });
  };
  root.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    const link = target.closest("a[data-go]");
    if (link && !event.metaKey && !event.ctrlKey && !event.shiftKey) {
      event.preventDefault();
      go(/** @type {HTMLAnchorElement} */ (link).href);
      return;
    }
    const button = target.closest("button[data-do]");
    if (!(button instanceof HTMLElement)) return;
    if (button.dataset.do === "share-link") share(button);
    else if (button.dataset.do) act(button.dataset.do, button.dataset.value ?? "");
  });
  root.addEventListener("change", (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    if (field.type === "file") receiveFiles(field, act);
    else if (field.dataset.do) {
      if (field.dataset.remember) remember(field.dataset.remember, String(field.checked));
      const value = field.type === "checkbox" ? String(field.checked) : field.value;
      act(field.dataset.do, field.dataset.value ? `${field.dataset.value}|${value}` : value);
    }
  });
  root.addEventListener("keydown", (event) => {
    const field = /** @type {HTMLElement} */ (event.target);
    if (event.key === "Enter" && field.matches("input[data-do]")) field.blur();
  });
}

/** Keeps on this device what a person has agreed to. */
function remember(/** @type {string} */ name, /** @type {string} */ value) {
  document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=lax`;
}

/**
 * Goes to another page of the companion once everything that was tapped here is answered: Streamlit
 * would drop what is still on its way.
 */
function go(/** @type {string} */ address) {
  if (!leaving) setTimeout(leave, MAX_WAIT_MS);
  leaving = address;
  leaveWhenAnswered();
}

function leaveWhenAnswered() {
  if ([...pieces.values()].every(({ unheard }) => unheard.length === 0)) leave();
}

/** Streamlit hears of it as of the back button. */
function leave() {
  const address = leaving;
  leaving = "";
  if (!address) return;
  if (address !== location.href) history.pushState({}, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
  scrollTo(0, 0);
}

/**
 * @param {HTMLInputElement} field
 * @param {(name: string, value: string) => void} act
 */
async function receiveFiles(field, act) {
  const files = [...(field.files ?? [])];
  field.value = "";
  if (field.dataset.file) {
    if (files[0]) act(field.dataset.file, await brought(files[0]));
    return;
  }
  const sent = files.map((file) => sendPhoto(file, field));
  const ids = (await Promise.all(sent)).filter(Boolean);
  if (ids.length) act("photo", `${field.dataset.photo ?? ""}|${ids.join(" ")}`);
}

/** What the server made of a file with games: a short text for the page. */
async function brought(/** @type {File} */ file) {
  try {
    const answer = await posted("saved", file);
    return answer.ok ? await answer.text() : "";
  } catch {
    return "";
  }
}

/**
 * Shows a photo at once and sends it, reduced where it is large; its address on the server.
 * @param {File} file
 * @param {HTMLInputElement} field
 */
async function sendPhoto(file, field) {
  const waiting = document.createElement("figure");
  waiting.className = "waiting";
  const picture = document.createElement("img");
  picture.alt = "";
  picture.src = URL.createObjectURL(file);
  picture.onerror = () => picture.remove();
  const words = document.createElement("figcaption");
  words.setAttribute("role", "status");
  words.textContent = field.dataset.waiting ?? "";
  waiting.append(picture, words);
  overlay().append(waiting);
  tellTurn(words, field.dataset.waiting ?? "", field.dataset.turn ?? "");
  try {
    const answer = await posted("photo", await reduced(file));
    if (!answer.ok) throw new Error(String(answer.status));
    return String((await answer.json()).id);
  } catch {
    words.replaceWith(told(field.dataset.failed ?? ""));
    setTimeout(clearWaiting, 4000);
    return "";
  }
}

const TRIES = 8;
const AGAIN_AFTER_MS = 2000;
const TURN_EVERY_MS = 1500;

/**
 * Sends something, again a little later where the server has no room for it now.
 * @param {string} address
 * @param {Blob} body
 */
async function posted(address, body) {
  for (let left = TRIES; ; left -= 1) {
    const answer = await fetch(address, { method: "POST", body });
    if (answer.status !== 503 || left <= 1) return answer;
    await new Promise((come) => setTimeout(come, AGAIN_AFTER_MS));
  }
}

/**
 * Says how many photos of others are read before this one, as long as it is waited for.
 * @param {HTMLElement} words
 * @param {string} reading what is said while it is read
 * @param {string} pattern with {count}
 */
async function tellTurn(words, reading, pattern) {
  for (;;) {
    await new Promise((come) => setTimeout(come, TURN_EVERY_MS));
    if (!words.isConnected || !pattern) return;
    try {
      const { before } = await (await fetch("turn")).json();
      const said = before > 0 ? pattern.replace("{count}", String(before)) : reading;
      if (words.textContent !== said && words.isConnected) words.textContent = said;
    } catch {
      return;
    }
  }
}

function overlay() {
  let layer = document.querySelector(".waiting-layer");
  if (!layer) {
    layer = document.createElement("div");
    layer.className = "waiting-layer";
    document.body.append(layer);
  }
  return layer;
}

function clearWaiting() {
  document.querySelector(".waiting-layer")?.remove();
}

/** @param {string} text */
function told(text) {
  const words = document.createElement("figcaption");
  words.setAttribute("role", "alert");
  words.textContent = text;
  return words;
}

/** @param {HTMLElement} button */
async function share(button) {
  const address = new URL(button.dataset.value ?? "", location.href).href;
  try {
    if (navigator.share) await navigator.share({ url: address, title: document.title });
    else await navigator.clipboard.writeText(address);
    button.setAttribute("data-done", "");
  } catch {
    button.removeAttribute("data-done");
  }
}

/** The screen stays on while a game is open, where the phone allows it. */
async function stayAwake() {
  try {
    if (document.visibilityState === "visible" && location.search.includes("game="))
      await /** @type {Awake} */ (navigator).wakeLock?.request("screen");
  } catch {
    // The phone saves its battery; nothing is lost.
  }
}
document.addEventListener("visibilitychange", stayAwake);
addEventListener("popstate", stayAwake);
stayAwake();

/**
 * @typedef {Navigator & {wakeLock?: {request: (kind: "screen") => Promise<unknown>}}} Awake
 * @typedef {{house?: {clearWaiting?: () => void, come?: (show: (mounted: Mounted) => () => void) => void,
 *   ready?: Promise<(mounted: Mounted) => () => void>}}} Shared what the pieces of the page share
 */
const house = (/** @type {Shared} */ (globalThis).house ??= {});
house.clearWaiting = clearWaiting;
if (house.come) house.come(show);
else house.ready = Promise.resolve(show);
