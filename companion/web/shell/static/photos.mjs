// @ts-check
/**
 * Photos and files on their way to the server: chosen or taken, made smaller, sent, waited for.
 */

/**
 * @param {HTMLInputElement} field
 * @param {(name: string, value: string) => void} act
 */
export async function receiveFiles(field, act) {
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
    // 400 comes with what is wrong with the file.
    return answer.ok || answer.status === 400 ? await answer.text() : "";
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
 * @param {File} file
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
