// @ts-check
/** Markup on a page: brought in by changing what differs; taps and what is typed are sent back. */

import { morph } from "./markup.mjs";
import { clearWaiting, receiveFiles, resumePhotos } from "./photos.mjs";
import { Wire, isConnected, whenAnswered } from "./wire.mjs";

/**
 * @typedef {{markup: string, answers?: import("./wire.mjs").Answer}} Data
 */

/** What was done is done at most once: it is not there again in a later run. */
export const once = true;

let lastAnswer = "";
/** The address of the page that is shown. */
let page = "";

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
  const wire = new Wire(send, { insists: false });
  let [unsent, gone] = [false, false];
  const act = (/** @type {string} */ name, /** @type {string} */ value) => {
    if (gone) return false;
    wire.add({ do: name, value });
    unsent ||= isConnected() === false;
    return true;
  };
  const connected = () => {
    if (unsent) wire.resend();
    unsent = false;
  };
  addEventListener("connected", connected);
  const near = new IntersectionObserver((seen) => askForMore(seen, act), {
    root: main(),
    rootMargin: NEAR,
  });
  const show = (/** @type {string} */ markup) => {
    draw(root, markup);
    near.disconnect();
    for (const button of root.querySelectorAll("button[data-near]")) near.observe(button);
  };
  listen(root, act);
  show(data.markup);
  resumePhotos(root, act);
  return {
    receive(/** @type {Data} */ fresh) {
      if (wire.receive(fresh.answers) !== "stale") show(fresh.markup);
    },
    destroy() {
      gone = true;
      near.disconnect();
      removeEventListener("connected", connected);
      wire.close();
    },
  };
}

/** How near the end of a list is when more of it is asked for. */
const NEAR = "800px 0px";
/** @type {WeakMap<Element, string | undefined>} what a button has asked for by itself */
const asked = new WeakMap();

/**
 * A button with `data-near` acts by itself as it comes near, once for each of its values.
 * @param {IntersectionObserverEntry[]} seen
 * @param {(name: string, value: string) => void} act
 */
function askForMore(seen, act) {
  for (const { target, isIntersecting } of seen) {
    const { do: name, value } = /** @type {HTMLElement} */ (target).dataset;
    if (!isIntersecting || !name || asked.get(target) === value) continue;
    asked.set(target, value);
    act(name, value ?? "");
  }
}

/** @param {HTMLElement} root @param {string} markup */
function draw(root, markup) {
  morph(root, markup);
  const answered = root.querySelector("[data-answered]")?.getAttribute("data-answered");
  if (answered && answered !== lastAnswer) {
    lastAnswer = answered;
    clearWaiting();
  }
  const opened = root.querySelector("[data-page]")?.getAttribute("data-page");
  if (opened !== undefined && opened !== null && opened !== page) {
    page = opened;
    beginAtTop(root);
    returning = isBack ? (places.get(page) ?? 0) : 0;
    isBack = false;
  }
  if (returning) comeBack();
  for (const field of root.querySelectorAll("input[data-do]")) {
    const input = /** @type {HTMLInputElement} */ (field);
    const wanted = input.getAttribute("value") ?? "";
    if (input !== input.ownerDocument.activeElement && input.value !== wanted) input.value = wanted;
  }
  for (const option of root.querySelectorAll("select[data-do] > option[selected]"))
    /** @type {HTMLOptionElement} */ (option).selected = true;
}

/** What scrolls: the frame of Streamlit, not the window. */
function main() {
  return document.querySelector('[data-testid="stMain"]');
}

/** @type {Map<string, number>} how far down each page was when it was left */
const places = new Map();
/** Whether the browser itself went back or forward to the page that comes. */
let isBack = false;
/** Where a page that is come back to is to be shown, as soon as so much of it is there. */
let returning = 0;

addEventListener(
  "popstate",
  (event) => {
    places.set(page, main()?.scrollTop ?? 0);
    // Links and questions for the page are events of its own.
    isBack = event.isTrusted;
  },
  true,
);
for (const kind of ["wheel", "touchstart", "keydown"])
  addEventListener(kind, () => (returning = 0), { passive: true });

function comeBack() {
  const frame = main();
  frame?.scrollTo(0, returning);
  if (!frame || frame.scrollTop > returning - 1) returning = 0;
}

/**
 * A page begins at its top, with the seat that it is of in sight.
 * @param {HTMLElement} root
 */
function beginAtTop(root) {
  main()?.scrollTo(0, 0);
  const seat = root.querySelector(".seats [aria-current]");
  const strip = seat?.parentElement;
  if (!seat || !strip) return;
  const [{ left, right }, around] = [seat.getBoundingClientRect(), strip.getBoundingClientRect()];
  strip.scrollLeft += Math.min(0, left - around.left) + Math.max(0, right - around.right);
}

/**
 * @param {HTMLElement} root
 * @param {import("./photos.mjs").Acts} act
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
    const picture = target.closest("a[data-share]");
    if (picture && sharesFiles()) {
      event.preventDefault();
      sharePicture(/** @type {HTMLAnchorElement} */ (picture));
      return;
    }
    const button = target.closest("button[data-do]");
    if (!(button instanceof HTMLElement)) return;
    if (button.dataset.do === "show-copies") return; // the page opens them itself
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
  // The cross that empties a field of search leaves the finger in it: nothing has changed for good yet.
  root.addEventListener("search", (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    if (field.dataset.do && !field.value) act(field.dataset.do, "");
  });
  root.addEventListener("keydown", (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    if (event.key !== "Enter" || !field.matches("input[data-do]")) return;
    if (!field.hasAttribute("data-again")) {
      field.blur();
      return;
    }
    // The next one is typed at once, while this one is on its way.
    const { value } = field;
    field.value = "";
    if (!field.dataset.do || !value.trim()) return;
    act(field.dataset.do, field.dataset.value ? `${field.dataset.value}|${value}` : value);
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

/** Whether the phone has a share sheet that takes pictures, which it has in secure contexts only. */
function sharesFiles() {
  const some = new File([""], "picture.png", { type: "image/png" });
  return navigator.canShare?.({ files: [some] }) ?? false;
}

/**
 * Hands a picture to the share sheet, or opens it where that fails.
 * @param {HTMLAnchorElement} link to the picture; `data-share` is its name as a file
 */
async function sharePicture(link) {
  try {
    const picture = await (await fetch(link.href)).blob();
    const file = new File([picture], link.dataset.share ?? "", { type: picture.type });
    await navigator.share({ files: [file] });
  } catch (error) {
    const closed = error instanceof DOMException && error.name === "AbortError";
    if (!closed) open(link.href, "_blank");
  }
}
