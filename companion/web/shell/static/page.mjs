// @ts-check
/**
 * What a page loads at first: the bridge to the server, markup, photos, and what it says and does by
 * itself.
 */

import "./surface.mjs";
import { mount } from "./bridge.mjs";
import { offerCamera } from "./photos.mjs";
import { CONNECTION, isConnected } from "./wire.mjs";

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
offerCamera();

/** Pages that were open are shown without a connection too, where a browser has that. */
function prepareForNoConnection() {
  navigator.serviceWorker?.register("./sw.js").catch(() => {});
}
const SOON_MS = 3000;
addEventListener("load", () => setTimeout(prepareForNoConnection, SOON_MS));

/** Not needed for the first look at a page; null where the connection is gone before it came. */
const copies = () => import("./copies.mjs").catch(() => null);
const KEEP_AFTER_MS = 3000;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let keeping;

/** This phone keeps its games a little later, once for all that happens until then. */
function keepSoon() {
  clearTimeout(keeping);
  keeping = setTimeout(async () => (await copies())?.keepCopies(), KEEP_AFTER_MS);
}
document.addEventListener("visibilitychange", keepSoon);
addEventListener("popstate", keepSoon);
document.addEventListener("click", async ({ target }) => {
  const button = target instanceof Element && target.closest('[data-do="show-copies"]');
  if (button) (await copies())?.openCopies();
});

/** @typedef {Navigator & {wakeLock?: {request: (kind: "screen") => Promise<unknown>}}} Awake */

// What Streamlit brings with each part of a page calls it.
Object.assign(globalThis, { companion: mount });

// The connection is gone: said in the language of the page, in place of Streamlit's own dialog, which
// knows English only. What is on the page stays usable.
const DIALOG = '[data-testid="stDialog"]';
/** A connection that comes back this soon is not worth a word. */
const PATIENCE_MS = 1500;

let wasConnected = false;
/** @type {number | undefined} */
let waiting;

function look() {
  closeDialog();
  const connected = isConnected();
  if (connected === undefined) return;
  if (connected) {
    if (!wasConnected || waiting) keepSoon();
    if (waiting) dispatchEvent(new Event("connected"));
    wasConnected = true;
    clearTimeout(waiting);
    waiting = undefined;
    document.querySelector(".no-connection")?.remove();
  } else if (wasConnected) waiting ??= setTimeout(tell, PATIENCE_MS);
}

/** The dialog is modal, though it is not seen: the next tap would only close it. */
function closeDialog() {
  const close = document.querySelector(`${DIALOG} section button`);
  if (close instanceof HTMLElement) close.click();
}

async function tell() {
  if (document.querySelector(".no-connection")) return;
  const bar = document.createElement("p");
  bar.className = "no-connection";
  bar.setAttribute("role", "status");
  document.body.append(bar);
  // A status is read out when its words come, not when it does.
  bar.textContent =
    document.querySelector('meta[name="no-connection"]')?.getAttribute("content") ?? "";
  const found = await copies();
  if (!(await found?.hasCopies())) return;
  const button = Object.assign(document.createElement("button"), { textContent: found?.words().title });
  button.dataset.do = "show-copies";
  bar.append(button);
}

new MutationObserver(look).observe(document.body, {
  attributeFilter: [CONNECTION],
  attributes: true,
  childList: true,
  subtree: true,
});
