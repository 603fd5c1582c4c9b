// @ts-check
/** What a page loads at first: the bridge to the server, markup, the camera, the connection. */

import "./camera.mjs";
import "./connection.mjs";
import { mount } from "./mount.mjs";
import "./surface.mjs";

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

/** @typedef {Navigator & {wakeLock?: {request: (kind: "screen") => Promise<unknown>}}} Awake */

// What Streamlit brings with each part of a page calls it.
Object.assign(globalThis, { companion: mount });
