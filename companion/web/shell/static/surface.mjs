// @ts-check
/** Markup on a page: brought in by changing what differs; taps and what is typed are sent back. */

import { morph } from "./markup.mjs";
import { clearWaiting, receiveFiles } from "./photos.mjs";
import { Outbox, newClient, whenAnswered } from "./wire.mjs";

/**
 * @typedef {{markup: string, answers?: import("./wire.mjs").Answer}} Data
 */

/** What was done is done at most once: it is not there again in a later run. */
export const once = true;

let lastAnswer = "";

/**
 * The server runs one thing at a time, and of two taps that wait for it, Streamlit forgets the
 * first: so each message holds all that was not answered.
 * @param {HTMLElement} root
 * @param {Data} data
 * @param {import("./bridge.mjs").Send} send
 * @returns {import("./bridge.mjs").Part}
 */
export function mount(root, data, send) {
  root.className = "surface";
  const client = newClient();
  const outbox = new Outbox(client, (seq, done) => send({ client, seq, done }), () => {}, false);
  listen(root, (name, value) => outbox.add({ do: name, value }));
  draw(root, data.markup);
  return {
    receive(/** @type {Data} */ fresh) {
      draw(root, fresh.markup);
      outbox.receive(fresh.answers ?? null);
    },
    destroy: () => outbox.close(),
  };
}

/** @param {HTMLElement} root @param {string} markup */
function draw(root, markup) {
  morph(root, markup);
  const answered = root.querySelector("[data-answered]")?.getAttribute("data-answered");
  if (answered && answered !== lastAnswer) {
    lastAnswer = answered;
    clearWaiting();
  }
  for (const field of root.querySelectorAll("input[data-do]")) {
    const input = /** @type {HTMLInputElement} */ (field);
    const wanted = input.getAttribute("value") ?? "";
    if (input !== input.ownerDocument.activeElement && input.value !== wanted) input.value = wanted;
  }
}

/**
 * @param {HTMLElement} root
 * @param {(name: string, value: string) => void} act
 */
function listen(root, act) {
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
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=lax${secure}`;
}

/**
 * Goes to another page of the companion once everything that was done here is answered: Streamlit
 * would drop what is still on its way. It hears of the new page as of the back button.
 */
function go(/** @type {string} */ address) {
  whenAnswered(() => {
    if (address !== location.href) history.pushState({}, "", address);
    dispatchEvent(new PopStateEvent("popstate"));
    scrollTo(0, 0);
  });
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
