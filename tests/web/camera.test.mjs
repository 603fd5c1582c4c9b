// @ts-check
/** When the camera takes its picture, on sequences of drawn frames; and the view round it. */

import assert from "node:assert/strict";

import FakeTimers from "@sinonjs/fake-timers";

import { place, window } from "./page.mjs";
import {
  FORGET_MS, HOLD_MS, MAX_MOVEMENT, MAX_WANDERING, MIN_SHARPNESS, Steady, greys, movement, open, sharpness, staysPut,
} from "../../companion/web/shell/static/camera.mjs";

const SIDE = 32;
const FRAME = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]];
const LOOK_MS = 100;

/** A chequered picture, its squares so wide and moved so far. */
function chequered(square, shift = 0, low = 50, high = 200) {
  return Uint8Array.from({ length: SIDE * SIDE }, (_, i) => {
    const [x, y] = [(i % SIDE) + shift, Math.floor(i / SIDE)];
    return (Math.floor(x / square) + Math.floor(y / square)) % 2 ? high : low;
  });
}

function blurred(picture) {
  let now = picture;
  for (let step = 0; step < 3; step += 1)
    now = now.map((value, i) =>
      (value + (now[i - 1] ?? value) + (now[i + 1] ?? value) + (now[i - SIDE] ?? value) + (now[i + SIDE] ?? value)) / 5);
  return now;
}
const shifted = (outline, by) => outline.map(([x, y]) => [x + by, y]);

/** Looks every 100 ms at what is given for each; outlines come every third look. */
function looks(count, given) {
  const steady = new Steady();
  const found = [];
  for (let i = 0; i < count; i += 1) {
    const { view = chequered(8), middle = chequered(4), outlines = [FRAME] } = given(i);
    if (i % 3 === 0 && outlines) steady.found(outlines);
    found.push(steady.look(view, middle, SIDE, LOOK_MS * i));
  }
  return found;
}
const taken = (found) => found.findIndex(({ held }) => held >= 1);

suite("when the camera takes its picture", () => {
  test("grey values are those of the eye: green counts most, blue least", () => {
    const pixels = Uint8ClampedArray.from([255, 0, 0, 9, 0, 255, 0, 9, 0, 0, 255, 9, 255, 255, 255, 9, 10, 20, 30, 0]);
    assert.deepEqual([...greys(pixels)], [76, 149, 28, 255, 18]);
  });

  test("movement is the mean change of grey", () => {
    assert.equal(movement(Uint8Array.of(1, 5), Uint8Array.of(4, 4)), 2);
    assert.equal(movement(Uint8Array.of(), Uint8Array.of()), 0);
    assert.equal(movement(chequered(8), chequered(8)), 0);
  });

  test("what is fine is sharp, blurred less, in the dark as well as in the light; nothing is not", () => {
    const clear = chequered(4);
    assert.ok(sharpness(blurred(clear), SIDE) < 0.5 * sharpness(clear, SIDE));
    assert.ok(Math.abs(sharpness(clear.map((value) => value / 2), SIDE) / sharpness(clear, SIDE) - 1) < 0.05);
    assert.equal(sharpness(clear.map(() => 90), SIDE), 0);
    // One point of 100 among nothing: bends of 400 and four of 100, over the contrast of nine values.
    const point = new Uint8Array(25);
    point[12] = 100;
    const contrast = 10_000 / 9 - (100 / 9) ** 2;
    assert.ok(Math.abs(sharpness(point, 5) - (160_000 + 4 * 10_000) / 9 / contrast) < 1e-9);
    assert.equal(sharpness(new Uint8Array(4), 2), 0);
  });

  test("frames stay put when as many are found and no corner wanders far", () => {
    const other = shifted(FRAME, 0.02);
    assert.equal(MAX_WANDERING, 0.03);
    assert.equal(staysPut([FRAME], [other]), true);
    assert.equal(staysPut([FRAME], [shifted(FRAME, 0.031)]), false);
    assert.equal(staysPut([FRAME], [FRAME.map(([x, y], k) => [x, y + (k === 3 ? 0.04 : 0)])]), false);
    assert.equal(staysPut([FRAME], [FRAME.map(([x, y], k) => (k === 1 ? [x + 0.025, y - 0.025] : [x, y]))]), false);
    assert.equal(staysPut([FRAME, other], [FRAME]), false);
    assert.equal(staysPut([FRAME], [FRAME, other]), false);
    assert.equal(staysPut([FRAME, FRAME], [FRAME, shifted(FRAME, 0.1)]), false);
    assert.equal(staysPut([], []), false);
    assert.equal(staysPut([FRAME], []), false);
  });

  test("still, sharp and found twice in the same place: taken nine tenths of a second later", () => {
    assert.deepEqual([HOLD_MS, MAX_MOVEMENT, MIN_SHARPNESS, FORGET_MS], [900, 4, 0.7, 4000]);
    const found = looks(20, () => ({}));
    assert.deepEqual(found[0], { still: false, sharp: true, found: true, held: 0 });
    assert.deepEqual(found[2], { still: true, sharp: true, found: true, held: 0 });
    assert.deepEqual(found.slice(3, 12).map(({ held }) => Math.round(held * 9)), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert.equal(taken(found), 12);
    assert.equal(found[15].held, 1);
  });

  test("nothing is taken while it moves, is unsharp, or shows nothing", () => {
    assert.equal(taken(looks(40, (i) => ({ view: chequered(8, i) }))), -1);
    assert.equal(taken(looks(40, () => ({ outlines: [] }))), -1);
    const unsharp = looks(30, (i) => ({ middle: i < 6 ? chequered(4) : blurred(chequered(4)) }));
    assert.deepEqual([taken(unsharp), unsharp[8].sharp], [-1, false]);
    assert.equal(taken(looks(40, () => ({ middle: new Uint8Array(SIDE * SIDE) }))), -1);
    assert.equal(looks(5, () => ({ outlines: [] }))[4].found, false);
  });

  test("corners that wander from look to look are no place to take a picture of", () => {
    assert.equal(taken(looks(60, (i) => ({ outlines: [shifted(FRAME, 0.0125 * i)] }))), -1);
    // However far a hand goes slowly, it is from look to look that counts.
    assert.equal(taken(looks(60, (i) => ({ outlines: [shifted(FRAME, 0.004 * i)] }))), 12);
    assert.equal(taken(looks(60, (i) => ({ outlines: i % 6 ? [FRAME] : [FRAME, shifted(FRAME, 0.2)] }))), -1);
  });

  test("a movement in between begins the waiting anew", () => {
    const found = looks(40, (i) => ({ view: chequered(8, i === 10 ? 4 : 0) }));
    assert.ok(found[9].held > 0.5);
    assert.deepEqual(found.slice(10, 12).map(({ held, still }) => [held, still]), [[0, false], [0, false]]);
    assert.equal(found[12].held, 0);
    assert.equal(taken(found), 21);
  });

  test("just as much movement as is allowed is none", () => {
    const flat = (value) => chequered(8).map((each) => each + value);
    assert.notEqual(taken(looks(30, (i) => ({ view: flat(i % 2 ? 4 : 0) }))), -1);
    assert.equal(taken(looks(30, (i) => ({ view: flat(i % 2 ? 5 : 0) }))), -1);
  });

  test("a sharper place is forgotten with time, so that another place can be sharp too", () => {
    const soft = blurred(chequered(4));
    const share = sharpness(soft, SIDE) / sharpness(chequered(4), SIDE);
    const found = looks(200, (i) => ({ middle: i < 3 ? chequered(4) : soft }));
    const again = found.findIndex(({ sharp }, i) => i >= 3 && sharp);
    // Half is forgotten in four seconds.
    const expected = 2 + (4000 * Math.log2(0.7 / share)) / LOOK_MS;
    assert.ok(Math.abs(again - expected) < 1.1 || again === Math.ceil(expected), `${again} ${expected}`);
    assert.ok(taken(found) > again);
  });
});

suite("the view of the camera", () => {
  let clock, field, tracks, refusals, sent, outlines, open_, vibrated, photos, frames, wanted;
  const said = { title: "Camera", aim: "Aim.", manual: "Press.", still: "Hold still.", sharp: "Focus …", shoot: "Take", choose: "Choose", close: "Close", refused: "No camera." };
  setup(() => {
    clock = FakeTimers.install();
    clock.tick(10_000);
    field = place("input");
    field.type = "file";
    field.dataset.photo = "7";
    document.head.innerHTML = `<meta name="camera-words" content='${JSON.stringify(said)}'>`;
    [tracks, refusals, sent, vibrated, photos] = [[], 0, [], [], []];
    outlines = [FRAME];
    open_ = [];
    frames = () => chequered(8);
    navigator.vibrate = (ms) => void vibrated.push(ms);
    navigator.mediaDevices = {
      getUserMedia: async (how) => {
        wanted = how;
        const track = { stopped: false, stop() { this.stopped = true; } };
        tracks.push(track);
        return { getTracks: () => [track] };
      },
    };
    const video = window.HTMLVideoElement.prototype;
    video.play = async () => {};
    video.pause = function () { this.paused_ = true; };
    Object.defineProperty(video, "videoWidth", { get: () => 640, configurable: true });
    Object.defineProperty(video, "videoHeight", { get: () => 480, configurable: true });
    window.HTMLDialogElement.prototype.showModal = function () { this.open = true; };
    const canvas = window.HTMLCanvasElement.prototype;
    canvas.getContext = function () {
      const { width, height } = this;
      return {
        drawImage: (_, ...where) => (this.where = where),
        getImageData: () => {
          const picture = frames(width);
          const data = new Uint8ClampedArray(4 * width * height);
          for (let i = 0; i < width * height; i += 1) data.fill(picture[i % picture.length], 4 * i, 4 * i + 4);
          return { data, width, height };
        },
      };
    };
    canvas.toBlob = function (come, type, quality) {
      photos.push([this.width, this.height, type, quality]);
      come(new Blob(["x"], { type }));
    };
    globalThis.fetch = /** @type {any} */ (async (address, how) => {
      sent.push([address, how.method]);
      if (outlines instanceof Error) throw outlines;
      return { ok: outlines !== null, json: async () => ({ found: outlines?.map((outline) => ({ outline, open: open_, points: 43 })) }) };
    });
    globalThis.DataTransfer = /** @type {any} */ (class {
      constructor() { this.items = { add: (file) => (this.files = [file]) }; }
    });
    Object.defineProperty(field, "files", { writable: true, value: [] });
  });
  teardown(() => {
    document.querySelector("dialog.camera")?.dispatchEvent(new window.Event("cancel"));
    clock.uninstall();
    document.head.replaceChildren();
  });
  const dialog = () => /** @type {any} */ (document.querySelector("dialog.camera"));
  const status = () => dialog().querySelector("[role=status]").textContent;
  const start = async () => {
    open(field, () => (refusals += 1));
    await clock.tickAsync(0);
  };
  const button = (name) => dialog().querySelector(`[name=${name}]`);
  const changes = () => {
    const heard = [];
    document.addEventListener("change", (event) => heard.push(event.target.files?.[0]?.name), { once: true });
    return heard;
  };

  test("a view asks for the rear camera, large, and says what to do", async () => {
    await start();
    assert.equal(dialog().open, true);
    assert.equal(dialog().getAttribute("aria-label"), "Camera");
    assert.equal(wanted.video.facingMode, "environment");
    assert.deepEqual([wanted.video.width, wanted.video.height, wanted.audio], [{ ideal: 2560 }, { ideal: 1920 }, false]);
    assert.equal(dialog().hasAttribute("data-live"), true);
    assert.equal(status(), "Press.");
    for (const name of ["close", "shoot", "choose"]) assert.equal(button(name).title, said[name]);
    await clock.tickAsync(3000);
    assert.equal(sent.length, 0);
    await start();
    assert.equal(document.querySelectorAll("dialog.camera").length, 1);
  });

  test("it is the middle of the picture that has to be sharp, every pixel of it", async () => {
    field.dataset.aim = "k";
    const seen = [];
    const { getContext } = window.HTMLCanvasElement.prototype;
    window.HTMLCanvasElement.prototype.getContext = function (...how) {
      const pen = getContext.apply(this, how);
      return { ...pen, drawImage: (_, ...where) => void seen.push(where) };
    };
    await start();
    assert.deepEqual(seen.slice(0, 2), [[0, 0, 160, 120], [192, 112, 256, 256, 0, 0, 256, 256]]);
  });

  test("the shutter gives the whole picture to the field, and the camera is off", async () => {
    await start();
    const heard = changes();
    button("shoot").querySelector("span").click();
    await clock.tickAsync(0);
    assert.deepEqual(heard, ["camera.jpg"]);
    assert.deepEqual(photos, [[640, 480, "image/jpeg", 0.92]]);
    assert.equal(tracks[0].stopped, true);
    assert.equal(dialog(), null);
  });

  test("a shutter that is tapped twice takes one picture, one that is closed before it is there none", async () => {
    const heard = [];
    const hear = (event) => heard.push(event.target.files[0].name);
    document.addEventListener("change", hear);
    const { toBlob } = window.HTMLCanvasElement.prototype;
    window.HTMLCanvasElement.prototype.toBlob = function (...given) {
      setTimeout(() => toBlob.apply(this, given), 100);
    };
    await start();
    button("shoot").click();
    button("shoot").click();
    await clock.tickAsync(200);
    assert.deepEqual(heard, ["camera.jpg"]);
    await start();
    button("shoot").click();
    button("close").click();
    await clock.tickAsync(200);
    assert.deepEqual(heard, ["camera.jpg"]);
    document.removeEventListener("change", hear);
  });

  test("the picture stands still when it is taken, and goes to the field as it stands now", async () => {
    await start();
    const { srcObject, paused_: before } = dialog().querySelector("video");
    assert.deepEqual([srcObject.getTracks(), before], [tracks, undefined]);
    const video = dialog().querySelector("video");
    const again = /** @type {any} */ (document.createElement("input"));
    again.dataset.photo = "7";
    Object.defineProperty(again, "files", { writable: true, value: [] });
    field.replaceWith(again);
    button("shoot").click();
    await clock.tickAsync(0);
    assert.deepEqual([video.paused_, again.files[0].name, field.files], [true, "camera.jpg", []]);
  });

  test("closing, going back, Escape and hiding the page end the camera without a picture", async () => {
    const ends = [
      () => button("close").click(),
      () => dispatchEvent(new window.PopStateEvent("popstate")),
      () => dialog().dispatchEvent(new window.Event("cancel")),
      () => document.dispatchEvent(new window.Event("visibilitychange")),
    ];
    for (const end of ends) {
      await start();
      const heard = changes();
      end();
      await clock.tickAsync(2000);
      assert.deepEqual([dialog(), tracks.at(-1).stopped, heard], [null, true, []], String(end));
    }
    assert.equal(photos.length, 0);
  });

  test("a camera that is off listens to nothing any more", async () => {
    const heard = new Set();
    const kept = [globalThis, document].map((each) => [each, each.addEventListener, each.removeEventListener]);
    for (const [each, add, remove] of /** @type {any[]} */ (kept)) {
      each.addEventListener = (...given) => {
        heard.add(given[0]);
        add.apply(each, given);
      };
      each.removeEventListener = (...given) => {
        heard.delete(given[0]);
        remove.apply(each, given);
      };
    }
    try {
      await start();
      const ends = ["popstate", "visibilitychange"];
      assert.deepEqual(ends.filter((each) => heard.has(each)), ends);
      button("close").click();
      assert.deepEqual(ends.filter((each) => heard.has(each)), []);
    } finally {
      for (const [each, add, remove] of /** @type {any[]} */ (kept))
        Object.assign(each, { addEventListener: add, removeEventListener: remove });
    }
  });

  test("a picture is chosen from the phone instead, in the field as it stands now", async () => {
    await start();
    const again = /** @type {any} */ (document.createElement("input"));
    Object.assign(again, { type: "file" });
    again.dataset.photo = "7";
    const other = document.createElement("input");
    other.dataset.photo = "8";
    field.remove();
    document.body.prepend(other, again);
    let opened = 0;
    again.addEventListener("click", () => (opened += 1));
    button("choose").click();
    assert.deepEqual([opened, dialog(), tracks[0].stopped], [1, null, true]);
  });

  test("a tap beside the buttons does nothing", async () => {
    await start();
    dialog().click();
    assert.equal(dialog().isConnected, true);
  });

  test("a refusal is kept, said, and leaves the file chooser; trouble is no refusal", async () => {
    for (const [error, expected] of /** @type {[any, number][]} */ ([
      [new window.DOMException("", "NotAllowedError"), 1], [new window.DOMException("", "NotFoundError"), 0], [new Error("x"), 0],
    ])) {
      refusals = 0;
      navigator.mediaDevices.getUserMedia = async () => { throw error; };
      await start();
      assert.deepEqual([refusals, status(), dialog().hasAttribute("data-refused")], [expected, "No camera.", true]);
      button("shoot").click();
      await clock.tickAsync(0);
      assert.equal(photos.length, 0);
      button("close").click();
    }
  });

  test("a camera of which nothing can be shown is no live view", async () => {
    window.HTMLVideoElement.prototype.play = async () => { throw new window.DOMException("", "AbortError"); };
    await start();
    assert.deepEqual([refusals, status(), dialog().hasAttribute("data-live")], [0, "No camera.", false]);
  });

  test("one that is closed before the camera comes leaves no camera on", async () => {
    let come = /** @type {any} */ (null);
    navigator.mediaDevices.getUserMedia = () => new Promise((given) => (come = given));
    const track = { stopped: false, stop() { this.stopped = true; } };
    await start();
    button("close").click();
    come({ getTracks: () => [track] });
    await clock.tickAsync(0);
    assert.equal(track.stopped, true);
    assert.equal(dialog(), null);
  });

  test("while aiming, what is found is drawn, and the picture is taken by itself", async () => {
    field.dataset.aim = "kingdomino pair";
    await start();
    assert.equal(status(), "Aim.");
    const heard = changes();
    await clock.tickAsync(400);
    assert.deepEqual(sent[0], ["aim/kingdomino%20pair?game=g1", "POST"]);
    assert.deepEqual(photos[0], [640, 480, "image/jpeg", 0.7]);
    assert.equal(dialog().querySelector("polygon").getAttribute("points"), "0.1,0.1 0.9,0.1 0.9,0.9 0.1,0.9");
    assert.equal(dialog().hasAttribute("data-found"), true);
    assert.equal(status(), "Hold still.");
    // What is the same is not read out again.
    const { firstChild } = dialog().querySelector("[role=status]");
    await clock.tickAsync(600);
    assert.equal(dialog().querySelector("[role=status]").firstChild, firstChild);
    const held = Number(button("shoot").style.getPropertyValue("--held"));
    assert.ok(held > 0 && held < 1, String(held));
    await clock.tickAsync(1500);
    assert.deepEqual([dialog(), heard, vibrated], [null, ["camera.jpg"], [30]]);
    assert.deepEqual(photos.at(-1), [640, 480, "image/jpeg", 0.92]);
    const { length } = sent;
    await clock.tickAsync(2000);
    assert.equal(sent.length, length);
  });

  test("what is found no more is drawn no more, and what was held is held no more", async () => {
    field.dataset.aim = "k";
    await start();
    await clock.tickAsync(700);
    const held = () => Number(button("shoot").style.getPropertyValue("--held"));
    assert.ok(held() > 0);
    outlines = [];
    await clock.tickAsync(400);
    assert.deepEqual([held(), dialog().hasAttribute("data-found")], [0, false]);
    assert.deepEqual([dialog().querySelector("polygon"), dialog().querySelector(".points b"), status()], [null, null, "Aim."]);
  });

  test("the server gets the picture, and the name of a game where there is one", async () => {
    field.dataset.aim = "k";
    const { fetch } = globalThis;
    const bodies = [];
    globalThis.fetch = /** @type {any} */ ((address, how) => {
      bodies.push(how.body);
      return fetch(address, how);
    });
    window.history.replaceState(null, "", "/");
    try {
      await start();
      await clock.tickAsync(0);
      assert.deepEqual([sent[0][0], bodies[0].type], ["aim/k", "image/jpeg"]);
    } finally {
      window.history.replaceState(null, "", "/?game=g1");
    }
  });

  test("a picture that takes its time is taken by itself once", async () => {
    field.dataset.aim = "k";
    const { toBlob } = window.HTMLCanvasElement.prototype;
    window.HTMLCanvasElement.prototype.toBlob = function (...given) {
      setTimeout(() => toBlob.apply(this, given), 400);
    };
    const heard = changes();
    await start();
    await clock.tickAsync(5000);
    assert.deepEqual([heard, vibrated], [["camera.jpg"], [30]]);
  });

  test("points lie on the upper edge of each kingdom, open squares are marked and told", async () => {
    field.dataset.aim = "k";
    const square = [[0.2, 0.2], [0.3, 0.2], [0.3, 0.3], [0.2, 0.3]];
    outlines = [FRAME, shifted(FRAME, 0.05)];
    open_ = [square, shifted(square, 0.1)];
    await start();
    const drawn = [...dialog().querySelectorAll("polygon")].map((each) => each.getAttribute("class"));
    assert.deepEqual(drawn, ["", "open", "open", "", "open", "open"]);
    const points = [...dialog().querySelectorAll(".points b")];
    assert.deepEqual(points.map((each) => each.textContent), ["43 ?", "43 ?"]);
    assert.deepEqual(points.map(({ style }) => [style.left, style.top].map((each) => Math.round(parseFloat(each)))), [[50, 10], [55, 10]]);
    [outlines, open_] = [[FRAME.map(([x, y]) => [x, y - 0.2])], []];
    await clock.tickAsync(200);
    const [sure, ...others] = [...dialog().querySelectorAll(".points b")];
    assert.deepEqual([sure.textContent, parseFloat(sure.style.top), others.length], ["43", 5, 0]);
  });

  test("the server is asked five times a second at least and seven at most, one question at a time", async () => {
    field.dataset.aim = "k";
    outlines = [];
    await start();
    await clock.tickAsync(2000);
    assert.ok(sent.length >= 10 && sent.length <= 14, String(sent.length));
    assert.equal(status(), "Aim.");
    assert.equal(dialog().hasAttribute("data-found"), false);
    let come = /** @type {any} */ (null);
    globalThis.fetch = /** @type {any} */ (() => {
      sent.push([]);
      return new Promise((given) => (come = given));
    });
    await clock.tickAsync(500);
    const { length } = sent;
    await clock.tickAsync(3000);
    assert.equal(sent.length, length);
    come({ ok: false });
    await clock.tickAsync(600);
    assert.ok(sent.length > length);
  });

  test("the server gets a small picture, the field the whole one, however the phone is held", async () => {
    field.dataset.aim = "k";
    const video = window.HTMLVideoElement.prototype;
    for (const [width, height] of [[1280, 960], [960, 1280]]) {
      Object.defineProperty(video, "videoWidth", { get: () => width, configurable: true });
      Object.defineProperty(video, "videoHeight", { get: () => height, configurable: true });
      photos.length = 0;
      await start();
      await clock.tickAsync(0);
      button("shoot").click();
      await clock.tickAsync(0);
      assert.deepEqual([photos[0], photos.at(-1)],
        [[width / 2, height / 2, "image/jpeg", 0.7], [width, height, "image/jpeg", 0.92]]);
    }
  });

  test("where the server does not answer, nothing is taken, and aiming goes on", async () => {
    field.dataset.aim = "k";
    for (const wrong of [new Error("offline"), null]) {
      outlines = wrong;
      await start();
      const before = sent.length;
      await clock.tickAsync(3000);
      assert.ok(sent.length > before + 3);
      assert.equal(dialog().isConnected, true);
      button("close").click();
    }
  });

  test("what is still but unsharp in its middle is told", async () => {
    field.dataset.aim = "k";
    let picture = chequered(4);
    frames = (width) => (width === 256 ? picture : chequered(4));
    outlines = [FRAME, FRAME];
    await start();
    await clock.tickAsync(300);
    picture = picture.map(() => 90);
    await clock.tickAsync(400);
    assert.equal(status(), "Focus …");
  });

  test("before the first frame there is nothing to look at", async () => {
    field.dataset.aim = "k";
    Object.defineProperty(window.HTMLVideoElement.prototype, "videoWidth", { get: () => 0, configurable: true });
    Object.defineProperty(window.HTMLVideoElement.prototype, "videoHeight", { get: () => 0, configurable: true });
    await start();
    await clock.tickAsync(1000);
    assert.equal(sent.length, 0);
    const heard = changes();
    button("shoot").click();
    await clock.tickAsync(0);
    assert.deepEqual([heard, dialog()], [[], null]);
  });
});
