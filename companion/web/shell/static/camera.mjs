// @ts-check
/**
 * The live view of the rear camera: it takes its picture when that is worth it, and gives it to the
 * file field of the button that was tapped.
 */

/**
 * @typedef {[number, number][]} Outline corners as shares of the sides of the picture
 * @typedef {{outline: Outline, open: Outline[], points: number}} Found what would be photographed,
 *   with the squares that it leaves open
 * @typedef {{still: boolean, sharp: boolean, found: boolean, held: number}} Judgement
 *   ``held`` grows from 0 to 1, at which the picture is taken
 */

/** The mean change of grey values, of 255, from which on the phone moves. */
export const MAX_MOVEMENT = 4;
/** The share of the best sharpness seen lately that counts as sharp. */
export const MIN_SHARPNESS = 0.7;
/** How far, as a share of the picture, a corner may wander between two looks. */
export const MAX_WANDERING = 0.03;
export const HOLD_MS = 900;
/** The best sharpness is forgotten by half in this time, so that another place can be sharp too. */
export const FORGET_MS = 4000;

/**
 * Grey values of RGBA pixels.
 * @param {Uint8ClampedArray} pixels
 */
export function greys(pixels) {
  const grey = new Uint8Array(pixels.length / 4);
  for (let i = 0; i < grey.length; i += 1) {
    const at = 4 * i;
    grey[i] = (77 * pixels[at] + 150 * pixels[at + 1] + 29 * pixels[at + 2]) >> 8;
  }
  return grey;
}

/**
 * The mean difference of two pictures of the same size.
 * @param {Uint8Array} before
 * @param {Uint8Array} now
 */
export function movement(before, now) {
  let sum = 0;
  for (let i = 0; i < now.length; i += 1) sum += Math.abs(now[i] - before[i]);
  return now.length ? sum / now.length : 0;
}

/**
 * How much of the contrast of a picture lies in its finest details.
 * @param {Uint8Array} grey
 * @param {number} width
 */
export function sharpness(grey, width) {
  const height = Math.floor(grey.length / width);
  let fine = 0;
  let sum = 0;
  let squares = 0;
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1; x < width - 1; x += 1) {
      const i = y * width + x;
      const bend = 4 * grey[i] - grey[i - 1] - grey[i + 1] - grey[i - width] - grey[i + width];
      fine += bend * bend;
      sum += grey[i];
      squares += grey[i] * grey[i];
    }
  const n = Math.max(1, (width - 2) * (height - 2));
  const contrast = squares / n - (sum / n) ** 2;
  return contrast < 1 ? 0 : fine / n / contrast;
}

/**
 * Whether the same frames were found in two looks.
 * @param {Outline[]} before
 * @param {Outline[]} now
 */
export function staysPut(before, now) {
  if (!now.length || before.length !== now.length) return false;
  return now.every((outline, number) =>
    outline.every(([x, y], corner) => {
      const old = before[number][corner];
      return Math.hypot(x - old[0], y - old[1]) <= MAX_WANDERING;
    }),
  );
}

/** Watches the pictures of a camera, one after the other. */
export class Steady {
  constructor() {
    /** @type {Uint8Array | null} */
    this.before = null;
    /** @type {Outline[]} */
    this.outlines = [];
    this.placed = false;
    this.best = 0;
    this.since = -1;
    this.last = 0;
  }

  /**
   * What was found in a picture of just now.
   * @param {Outline[]} outlines
   */
  found(outlines) {
    this.placed = staysPut(this.outlines, outlines);
    this.outlines = outlines;
  }

  /**
   * A picture of the whole view and one of its middle, in grey, at a time in milliseconds.
   * @param {Uint8Array} view
   * @param {Uint8Array} middle
   * @param {number} middleWidth
   * @param {number} now
   * @returns {Judgement}
   */
  look(view, middle, middleWidth, now) {
    const still = this.before !== null && movement(this.before, view) <= MAX_MOVEMENT;
    this.before = view;
    const fine = sharpness(middle, middleWidth);
    this.best = Math.max(fine, this.best * 0.5 ** ((now - this.last) / FORGET_MS));
    this.last = now;
    const sharp = fine > 0 && fine >= MIN_SHARPNESS * this.best;
    const found = this.outlines.length > 0;
    if (!still || !sharp || !this.placed) this.since = -1;
    else if (this.since < 0) this.since = now;
    const held = this.since < 0 ? 0 : Math.min(1, (now - this.since) / HOLD_MS);
    return { still, sharp, found, held };
  }
}

/** @typedef {{dialog: HTMLDialogElement, video: HTMLVideoElement, outlines: SVGSVGElement,
 *   points: HTMLElement, status: HTMLElement, shoot: HTMLElement}} View
 */

const LOOK_EVERY_MS = 120;
const ASK_EVERY_MS = 150;
const VIEW_SIDE_PX = 160;
const MIDDLE_SIDE_PX = 256;
const SENT_SIDE_PX = 640;

/** @returns {Record<string, string>} */
function words() {
  const said = document.querySelector('meta[name="camera-words"]')?.getAttribute("content");
  return said ? JSON.parse(said) : {};
}

/**
 * Opens the view for a file field.
 * @param {HTMLInputElement} field
 * @param {() => void} refused somebody does not want the page to see the camera
 */
export async function open(field, refused) {
  if (document.querySelector("dialog.camera")) return;
  const said = words();
  const view = build(said, Boolean(field.dataset.aim));
  const { dialog, video } = view;
  /** @type {MediaStream | null} */
  let stream = null;
  const close = () => {
    for (const track of stream?.getTracks() ?? []) track.stop();
    removeEventListener("popstate", close);
    document.removeEventListener("visibilitychange", close);
    dialog.remove();
  };
  const shoot = async () => {
    const photo = await taken(video);
    // Taken by another tap, or closed, before the picture was there.
    if (!dialog.isConnected) return;
    close();
    if (photo) hand(field, photo);
  };
  const choose = () => {
    close();
    standing(field).click();
  };
  dialog.addEventListener("cancel", close);
  dialog.addEventListener("click", (event) => {
    const button = /** @type {Element} */ (event.target).closest("button");
    if (button?.name === "close") close();
    else if (button?.name === "choose") choose();
    else if (button?.name === "shoot" && stream) shoot();
  });
  addEventListener("popstate", close);
  document.addEventListener("visibilitychange", close);
  document.body.append(dialog);
  dialog.showModal();
  try {
    const got = await navigator.mediaDevices.getUserMedia({
      video: { facingMode: "environment", width: { ideal: 2560 }, height: { ideal: 1920 } },
      audio: false,
    });
    if (!dialog.isConnected) {
      for (const track of got.getTracks()) track.stop();
      return;
    }
    stream = got;
    video.srcObject = got;
    await video.play();
    dialog.setAttribute("data-live", "");
    watch(view, field.dataset.aim ?? "", said, shoot);
  } catch (error) {
    if (error instanceof DOMException && error.name === "NotAllowedError") refused();
    view.status.textContent = said.refused;
    dialog.setAttribute("data-refused", "");
  }
}

/**
 * @param {Record<string, string>} said
 * @param {boolean} aims
 * @returns {View}
 */
function build(said, aims) {
  const dialog = document.createElement("dialog");
  dialog.className = "camera";
  dialog.setAttribute("aria-label", said.title);
  dialog.innerHTML =
    '<div class="seen"><video playsinline muted aria-hidden="true"></video>' +
    '<svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"></svg>' +
    '<div class="points" aria-hidden="true"></div></div>' +
    '<p role="status"></p><div class="controls"><button type="button" name="close">' +
    '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 5l14 14M19 5 5 19"/></svg></button>' +
    '<button type="button" name="shoot"><span></span></button>' +
    '<button type="button" name="choose"><svg viewBox="0 0 24 24" aria-hidden="true">' +
    '<path d="M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h1"/></svg></button></div>';
  for (const name of ["close", "shoot", "choose"]) {
    const button = /** @type {HTMLElement} */ (dialog.querySelector(`[name=${name}]`));
    button.ariaLabel = said[name];
    button.title = said[name];
  }
  const status = /** @type {HTMLElement} */ (dialog.querySelector("[role=status]"));
  status.textContent = aims ? said.aim : said.manual;
  return {
    dialog,
    status,
    video: /** @type {HTMLVideoElement} */ (dialog.querySelector("video")),
    outlines: /** @type {SVGSVGElement} */ (dialog.querySelector(".seen svg")),
    points: /** @type {HTMLElement} */ (dialog.querySelector(".points")),
    shoot: /** @type {HTMLElement} */ (dialog.querySelector("[name=shoot]")),
  };
}

/**
 * Draws what is found while aiming, and takes the photo once it is still and sharp.
 * @param {View} view
 * @param {string} aim
 * @param {Record<string, string>} said
 * @param {() => void} shoot
 */
function watch(view, aim, said, shoot) {
  const { dialog, video } = view;
  if (!aim) return;
  const steady = new Steady();
  const step = () => {
    if (!dialog.isConnected) return;
    const now = performance.now();
    const seen = scaled(video, VIEW_SIDE_PX);
    const middle = cropped(video, MIDDLE_SIDE_PX);
    if (seen && middle) {
      const judged = steady.look(greys(seen.data), greys(middle.data), middle.width, now);
      tell(view, said, judged);
      if (judged.held >= 1) {
        navigator.vibrate?.(30);
        shoot();
        return;
      }
    }
    setTimeout(step, LOOK_EVERY_MS);
  };
  // One picture at a time: what could not be looked at in time is never sent.
  const follow = async () => {
    if (!dialog.isConnected) return;
    const asked = performance.now();
    const found = video.videoWidth ? await ask(video, aim) : null;
    if (found && dialog.isConnected) {
      steady.found(found.map(({ outline }) => outline));
      draw(view, found);
    }
    setTimeout(follow, Math.max(0, asked + ASK_EVERY_MS - performance.now()));
  };
  step();
  follow();
}

/**
 * @param {View} view
 * @param {Record<string, string>} said
 * @param {Judgement} judged
 */
function tell(view, said, { still, sharp, found, held }) {
  const code = !found ? "aim" : still && !sharp ? "sharp" : "still";
  if (view.status.textContent !== said[code]) view.status.textContent = said[code];
  view.dialog.toggleAttribute("data-found", found);
  view.shoot.style.setProperty("--held", String(held));
}

/** @param {View} view @param {Found[]} found */
function draw({ outlines, points }, found) {
  const polygon = (/** @type {Outline} */ corners, /** @type {string} */ look) =>
    `<polygon class="${look}" points="${corners.map((each) => each.map(Number).join(",")).join(" ")}"/>`;
  outlines.innerHTML = found
    .map(({ outline, open }) => polygon(outline, "") + open.map((each) => polygon(each, "open")).join(""))
    .join("");
  points.replaceChildren(...found.map(({ outline, points: count, open }) => {
    const said = document.createElement("b");
    said.textContent = open.length ? `${count} ?` : String(count);
    const middle = outline.reduce((sum, [x]) => sum + x, 0) / outline.length;
    said.style.left = `${100 * middle}%`;
    said.style.top = `${100 * Math.max(0.05, Math.min(...outline.map(([, y]) => y)))}%`;
    return said;
  }));
}

/**
 * What the server finds in the picture of now; null where it does not say.
 * @param {HTMLVideoElement} video
 * @param {string} aim
 * @returns {Promise<Found[] | null>}
 */
async function ask(video, aim) {
  try {
    const picture = await shot(video, SENT_SIDE_PX, 0.7);
    const game = new URLSearchParams(location.search).get("game");
    const address = `aim/${encodeURIComponent(aim)}${game ? `?game=${encodeURIComponent(game)}` : ""}`;
    const answer = await fetch(address, { method: "POST", body: picture });
    return answer.ok ? (await answer.json()).found : null;
  } catch {
    return null;
  }
}

/** The picture of now as a file, as large as the camera gives it. */
async function taken(/** @type {HTMLVideoElement} */ video) {
  video.pause();
  const picture = await shot(video, Infinity, 0.92);
  return picture && new File([picture], "camera.jpg", { type: "image/jpeg" });
}

/**
 * @param {HTMLVideoElement} video
 * @param {number} longSide
 * @param {number} quality
 * @returns {Promise<Blob | null>}
 */
function shot(video, longSide, quality) {
  const canvas = canvasOf(video, longSide);
  if (!canvas) return Promise.resolve(null);
  return new Promise((come) => canvas.toBlob(come, "image/jpeg", quality));
}

/** @param {HTMLVideoElement} video @param {number} longSide */
function scaled(video, longSide) {
  const canvas = canvasOf(video, longSide);
  return canvas?.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height);
}

/** @param {HTMLVideoElement} video @param {number} longSide */
function canvasOf(video, longSide) {
  const { videoWidth: width, videoHeight: height } = video;
  if (!width || !height) return null;
  const scale = Math.min(1, longSide / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext("2d")?.drawImage(video, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** The middle of the view, every pixel of it, at most so wide. */
function cropped(/** @type {HTMLVideoElement} */ video, /** @type {number} */ side) {
  const { videoWidth: width, videoHeight: height } = video;
  const edge = Math.min(side, width, height);
  if (!edge) return null;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = edge;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen?.drawImage(video, (width - edge) / 2, (height - edge) / 2, edge, edge, 0, 0, edge, edge);
  return pen?.getImageData(0, 0, edge, edge) ?? null;
}

/** The field as it stands on the page now: it may have been drawn again meanwhile. */
function standing(/** @type {HTMLInputElement} */ field) {
  if (field.isConnected) return field;
  const same = [...document.querySelectorAll("input[data-photo]")].find(
    (each) => each.getAttribute("data-photo") === field.dataset.photo,
  );
  return same instanceof HTMLInputElement ? same : field;
}

/** Gives a photo to the file field, as if it had been chosen there. */
function hand(/** @type {HTMLInputElement} */ field, /** @type {File} */ photo) {
  const there = standing(field);
  const chosen = new DataTransfer();
  chosen.items.add(photo);
  there.files = chosen.files;
  there.dispatchEvent(new Event("change", { bubbles: true }));
}
