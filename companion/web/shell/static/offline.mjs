// @ts-check
/**
 * A page without a connection: what it showed last, as far as it was open on this phone. What is done
 * on its boards waits on the phone; the page itself comes as soon as the server answers.
 */

import { mount } from "./bridge.mjs";
import { hasCopies, openCopies } from "./copies.mjs";
import { keptPage } from "./kept.mjs";

const ASK_EVERY_MS = 4000;
const VERSION = new URL("../../", import.meta.url).pathname.split("/").at(-2) ?? "";

const place = /** @type {HTMLElement} */ (document.querySelector(".offline"));
const parts = keptPage(location.search);
for (const { module, style, data } of parts) {
  const element = place.appendChild(document.createElement("div"));
  const parentElement = style ? element.attachShadow({ mode: "open" }) : element;
  const nobody = () => {};
  mount({ data, parentElement, setStateValue: nobody, setTriggerValue: nobody }, VERSION, module, style);
}
const unknown = document.querySelector(".unknown");
if (parts.length) unknown?.remove();
else if (await hasCopies()) openCopies();

// A page before this one is one of those that were open, or is said not to be.
document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest?.("a[data-go]");
  if (!(link instanceof HTMLAnchorElement)) return;
  event.preventDefault();
  event.stopPropagation();
  location.assign(link.href);
}, true);

async function ask() {
  try {
    const answer = await fetch("health", { cache: "no-store" });
    if (answer.ok) location.reload();
  } catch {
    // Still nobody there.
  }
}
setInterval(ask, ASK_EVERY_MS);
addEventListener("online", ask);
