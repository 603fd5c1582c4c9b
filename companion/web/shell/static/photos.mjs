// @ts-check
/**
 * Photos and files on their way to the server: chosen or taken, made smaller, sent, waited for.
 */

import { forgetPhoto, keepPhoto, keptPhotos } from "./kept.mjs";
import { PATIENCE, askForThePage, isConnected } from "./wire.mjs";

/**
 * @typedef {(name: string, value: string) => boolean} Acts whether the part of the page is still there
 */

/**
 * @param {HTMLInputElement} field
 * @param {Acts} act
 */
export async function receiveFiles(field, act) {
  const files = [...(field.files ?? [])];
  field.value = "";
  if (field.dataset.file) {
    if (files[0]) act(field.dataset.file, await brought(files[0]));
    return;
  }
  await sendAll(files.map((photo) => ({ photo })), field, act);
}

/**
 * Sends photos, and says what they were taken for when all of them are there.
 * @param {{photo: Blob, key?: string}[]} photos each with its key where it is kept already
 * @param {HTMLInputElement} field
 * @param {Acts} act
 */
async function sendAll(photos, field, act) {
  const [to, page] = [field.dataset.photo ?? "", location.search];
  const sent = await Promise.all(photos.map(({ photo, key }) => sendPhoto(photo, field, key)));
  const ids = sent.map(({ address }) => address).filter(Boolean);
  if (isConnected() === false)
    await new Promise((come) => addEventListener("connected", come, { once: true }));
  if (ids.length && (location.search !== page || !act("photo", `${to}|${ids.join(" ")}`))) {
    // The page was left meanwhile: they wait for whoever comes back to it, who may be there already.
    clearWaiting();
    resumed = null;
    resume();
    return;
  }
  await Promise.all(sent.map(({ kept }) => forgetPhoto(kept)));
}

/** A page without a connection has nobody to tell; the page that comes after it sends its photos. */
const hasServer = () => !document.querySelector(".offline");

/** @type {string | null} the address of the page whose photos were sent; the first page has "" */
let resumed = null;
/** Sends what waits for the page that is shown now. */
let resume = () => {};

/** What stands before the name of a kingdom that is there, of which a photo shows more. */
const ANOTHER = "another:";

/**
 * Sends the photos that were chosen on this page and could not be sent before it was left.
 *
 * One of a kingdom that is not on this page any more goes to any field; but another photo of a
 * kingdom that is there waits for its own, and its field takes no others.
 * @param {HTMLElement} root
 * @param {Acts} act
 */
export async function resumePhotos(root, act) {
  const fields = /** @type {HTMLInputElement[]} */ ([...root.querySelectorAll("input[data-photo]")]);
  if (!fields.length || !hasServer()) return;
  resume = () => void (root.isConnected && resumePhotos(root, act));
  if (resumed === location.search) return;
  resumed = location.search;
  const waiting = await keptPhotos();
  for (const to of new Set(waiting.map((each) => each.to))) {
    const any = to.startsWith(ANOTHER) ? undefined
      : fields.find(({ dataset }) => !dataset.photo?.startsWith(ANOTHER));
    const field = fields.find(({ dataset }) => dataset.photo === to) ?? any;
    if (field) sendAll(waiting.filter((each) => each.to === to), field, act);
  }
}

/** What the server made of a file with games: a short text for the page. */
async function brought(/** @type {File} */ file) {
  try {
    const answer = await posted("saved", file);
    // 400 comes with what is wrong with the file.
    return answer.ok || answer.status === 400 ? await answer.text() : "";
  } catch {
    return "";
  }
}

/**
 * Shows a photo at once and sends it, reduced where it is large; its address on the server, "" where
 * it is refused, and the key under which it is kept until its address is known there.
 * @param {Blob} photo
 * @param {HTMLInputElement} field
 * @param {string} [key] where it is kept already
 */
async function sendPhoto(photo, field, key) {
  const waiting = document.createElement("figure");
  waiting.className = "waiting";
  const picture = document.createElement("img");
  picture.alt = "";
  picture.src = URL.createObjectURL(photo);
  picture.onerror = () => picture.remove();
  const words = document.createElement("figcaption");
  words.setAttribute("role", "status");
  const reading = field.dataset.waiting ?? "";
  words.textContent = reading;
  waiting.append(picture, words);
  overlay().append(waiting);
  const small = await reduced(photo);
  const kept = key ?? await keepPhoto(small, field.dataset.photo ?? "");
  if (!hasServer()) {
    words.textContent = field.dataset.later ?? "";
    return new Promise(() => {});
  }
  tellTurn(words, reading, field.dataset.turn ?? "");
  try {
    const answer = await posted("photo", small, (gone) => {
      words.textContent = gone ? field.dataset.later ?? "" : reading;
    });
    if (!answer.ok) throw new Error(String(answer.status));
    return { address: String((await answer.json()).id), kept };
  } catch {
    words.replaceWith(told(field.dataset.failed ?? ""));
    setTimeout(() => {
      waiting.remove();
      if (!document.querySelector(".waiting-layer > *")) clearWaiting();
    }, 4000);
    return { address: "", kept };
  }
}

/**
 * How often something is sent, by what the server answers: that no page of this phone runs there, as
 * for a while after its start, or that there is no room.
 * @type {Record<number, number>}
 */
const TRIES = { 403: 30, 503: 8 };
const AGAIN_AFTER_MS = 2000;
const TURN_EVERY_MS = 1500;

/**
 * Sends something, again a little later where the server does not take it now, and for as long as
 * there is no connection.
 * @param {string} address
 * @param {Blob} body
 * @param {(gone: boolean) => void} [onGone] told when the connection goes and comes
 */
async function posted(address, body, onGone) {
  for (let tries = 0, gone = false; ;) {
    try {
      const answer = await fetch(address, { method: "POST", body });
      if (gone) onGone?.(false);
      gone = false;
      if (isConnected() !== false) tries += 1;
      if (answer.ok || tries >= (TRIES[answer.status] ?? 0)) return answer;
      // Streamlit does not ask a server that was started anew for the page by itself.
      if (answer.status === 403 && tries % PATIENCE === PATIENCE - 1) askForThePage();
    } catch (error) {
      if (!onGone) throw error;
      gone = true;
      onGone(true);
    }
    await later();
  }
}

/** In a while, or as soon as the phone is online. */
function later() {
  return new Promise((come) => {
    setTimeout(come, AGAIN_AFTER_MS);
    addEventListener("online", come, { once: true });
  });
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
      if (words.textContent !== said) words.textContent = said;
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

/** Nothing is waited for any more. */
export function clearWaiting() {
  document.querySelector(".waiting-layer")?.remove();
}

/** @param {string} text */
function told(text) {
  const words = document.createElement("figcaption");
  words.setAttribute("role", "alert");
  words.textContent = text;
  return words;
}

const MAX_SIDE_PX = 2600;
const SMALL_BYTES = 900_000;
/** Newer browsers turn a picture as its own data say without being told. */
const UPRIGHT = /** @type {ImageBitmapOptions} */ (
  /** @type {unknown} */ ({ imageOrientation: "from-image" })
);

/**
 * A photo with no more pixels than the reader uses, as JPEG; the file itself where it is small.
 * @param {Blob} file
 * @returns {Promise<Blob>}
 */
export async function reduced(file) {
  if (file.size < SMALL_BYTES) return file;
  try {
    const picture = await createImageBitmap(file, UPRIGHT);
    const scale = Math.min(1, MAX_SIDE_PX / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    pen.imageSmoothingQuality = "high";
    pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    /** @type {Blob | null} */
    const small = await new Promise((come) => canvas.toBlob(come, "image/jpeg", 0.92));
    return small && small.size < file.size ? small : file;
  } catch {
    return file;
  }
}

const REFUSED = "camera refused";

/** Whether somebody has refused the camera since the page was opened. */
function hasRefused() {
  try {
    return sessionStorage.getItem(REFUSED) !== null;
  } catch {
    return false; // nothing may be kept on this phone
  }
}

function keepRefusal() {
  try {
    sessionStorage.setItem(REFUSED, "true");
  } catch {
    // The phone asks again.
  }
}

/** Whether this is a phone or a tablet whose browser lets the page show its camera. */
function hasCamera() {
  return (
    isSecureContext &&
    Boolean(navigator.mediaDevices?.getUserMedia) &&
    matchMedia("(pointer: coarse)").matches &&
    !hasRefused()
  );
}

/**
 * Opens the live view of the rear camera where a phone may show one. Everywhere else, and once
 * somebody has refused it, the file field opens as it always does.
 */
export function offerCamera() {
  // Not at the window itself: there the click after a tap that was dealt with is swallowed.
  document.addEventListener(
    "click",
    (event) => {
      const target = /** @type {Element} */ (event.target);
      const field = target.closest?.("label.button")?.querySelector("input[data-photo]");
      // The view itself opens the field by a click that nobody made.
      if (!(field instanceof HTMLInputElement) || !event.isTrusted || !hasCamera()) return;
      event.preventDefault();
      event.stopPropagation();
      import("./camera.mjs").then(({ open }) => open(field, keepRefusal), () => field.click());
    },
    true,
  );
}
