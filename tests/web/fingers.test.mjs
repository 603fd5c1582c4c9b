// @ts-check
/** Fingers on a stage and on buttons, one event at a time; `tests/browser` has them in a real browser. */

import assert from "node:assert/strict";

import FakeTimers from "@sinonjs/fake-timers";
import fc from "fast-check";

import { PointerEvent, captured, place, point, resized, sized, watchers, window } from "./page.mjs";
import { listen, listenToPresses } from "../../companion/web/shell/static/fingers.mjs";
import {
  MIN_TARGET_PX, View, fitted, panned, readable, showing, zoomed,
} from "../../companion/web/shell/static/window.mjs";

/** A stage at (100, 50) and what fingers did there. */
function stage(strokes = () => false) {
  const element = sized(place(), { x: 100, y: 50, width: 300, height: 400 });
  const done = [];
  const note = (name) => (...what) => void done.push([name, ...what]);
  const stop = listen(element, {
    strokes, tap: note("tap"), start: note("start"), stroke: note("stroke"), end: note("end"),
    pan: note("pan"), zoom: note("zoom"),
  });
  const finger = (type, id, x, y, more = {}) =>
    point(element, type, { pointerId: id, clientX: 100 + x, clientY: 50 + y, ...more });
  return { element, done, stop, finger };
}

suite("fingers on a stage", () => {
  test("a tap is where the finger came down, in px from the top left of the stage", () => {
    const { element, done, finger } = stage();
    finger("down", 1, 30, 40);
    assert.deepEqual(captured.at(-1), [element, 1]);
    finger("move", 1, 36, 48);
    finger("up", 1, 36, 48);
    assert.deepEqual(done, [["tap", [30, 40]]]);
  });

  test("a finger that goes farther than ten px moves what is seen, by each step of its own", () => {
    const { done, finger } = stage();
    finger("down", 1, 30, 40);
    finger("move", 1, 40, 40);
    assert.deepEqual(done, []);
    finger("move", 1, 41, 40);
    finger("move", 1, 45, 33);
    finger("up", 1, 45, 33);
    assert.deepEqual(done, [["pan", 1, 0], ["pan", 4, -7]]);
  });

  test("a slanted way counts as long as it is", () => {
    const { done, finger } = stage();
    finger("down", 1, 0, 0);
    finger("move", 1, 8, 8);
    assert.deepEqual(done, [["pan", 8, 8]]);
  });

  test("a press that is broken off is no tap", () => {
    const { done, finger } = stage();
    finger("down", 1, 30, 40);
    finger("cancel", 1, 30, 40);
    finger("up", 1, 30, 40);
    assert.deepEqual(done, []);
  });

  test("a stroke begins, goes through every point that the browser joined, and is kept", () => {
    const { done, finger } = stage(() => true);
    finger("down", 1, 10, 20);
    const coalesced = [[12, 20], [14, 21]].map(([x, y]) =>
      new PointerEvent("pointermove", { clientX: 100 + x, clientY: 50 + y }));
    finger("move", 1, 16, 22, { coalesced });
    finger("up", 1, 16, 22);
    assert.deepEqual(done, [
      ["start", [10, 20]], ["stroke", [12, 20]], ["stroke", [14, 21]], ["stroke", [16, 22]], ["end", true],
    ]);
  });

  test("a stroke that the phone breaks off is not kept", () => {
    const { done, finger } = stage(() => true);
    finger("down", 1, 10, 20);
    finger("move", 1, 30, 20);
    finger("cancel", 1, 30, 20);
    assert.deepEqual(done.at(-1), ["end", false]);
  });

  test("a second finger ends the stroke, which is not kept, and both move and zoom", () => {
    const { done, finger } = stage(() => true);
    finger("down", 1, 100, 100);
    finger("move", 1, 110, 100);
    finger("down", 2, 210, 100);
    assert.deepEqual(done.slice(-1), [["end", false]]);
    done.length = 0;
    finger("move", 2, 310, 120);
    const [[pan, dx, dy], [zoom, factor, at]] = done;
    assert.deepEqual([pan, dx, dy, zoom, at], ["pan", 50, 10, "zoom", [210, 110]]);
    assert.ok(Math.abs(factor - Math.hypot(200, 20) / 100) < 1e-9);
    done.length = 0;
    finger("up", 2, 310, 120);
    finger("move", 1, 150, 150);
    finger("up", 1, 150, 150);
    assert.deepEqual(done, []);
    finger("down", 3, 5, 5);
    assert.deepEqual(done, [["start", [5, 5]]]);
  });

  test("after a pinch neither finger taps", () => {
    const { done, finger } = stage();
    finger("down", 1, 100, 100);
    finger("down", 2, 200, 100);
    finger("up", 1, 100, 100);
    finger("up", 2, 200, 100);
    assert.deepEqual(done, []);
    finger("down", 1, 100, 100);
    finger("up", 1, 100, 100);
    assert.deepEqual(done, [["tap", [100, 100]]]);
  });

  test("a palm beside two fingers changes nothing, and nothing is done twice when it goes", () => {
    const { done, finger } = stage(() => true);
    for (const id of [1, 2, 3]) finger("down", id, 100 * id, 100);
    assert.deepEqual(done, [["start", [100, 100]], ["end", false]]);
    finger("move", 3, 290, 90);
    finger("move", 1, 90, 90);
    assert.equal(done.length, 2);
    for (const id of [3, 2, 1]) finger("up", id, 100 * id, 100);
    assert.equal(done.length, 2);
  });

  test("two fingers at one place zoom nothing", () => {
    const { done, finger } = stage();
    finger("down", 1, 100, 100);
    finger("down", 2, 100, 100);
    finger("move", 2, 110, 100);
    assert.deepEqual(done, [["pan", 5, 0]]);
  });

  test("a finger that came down elsewhere does nothing here", () => {
    const { done, finger } = stage();
    finger("move", 4, 100, 100);
    finger("up", 4, 100, 100);
    assert.deepEqual(done, []);
  });

  test("a button that lies on the stage is pressed, and what is under it is not tapped", () => {
    const { element, done } = stage();
    element.innerHTML = '<button data-do="zoom"><svg></svg></button><p></p>';
    for (const each of [element.querySelector("button"), element.querySelector("svg")])
      for (const type of ["down", "up"]) point(each, type, { clientX: 130, clientY: 90 });
    assert.deepEqual(done, []);
    for (const type of ["down", "up"]) point(element.querySelector("p"), type, { clientX: 130, clientY: 90 });
    assert.deepEqual(done, [["tap", [30, 40]]]);
  });

  test("only the first button of a mouse counts; its wheel zooms with a key held", () => {
    const { element, done, finger } = stage();
    finger("down", 1, 10, 10, { button: 2 });
    finger("up", 1, 10, 10);
    assert.deepEqual(done, []);
    const wheel = (more) => {
      const event = new window.WheelEvent("wheel", {
        deltaY: -200, clientX: 130, clientY: 90, cancelable: true, ...more });
      element.dispatchEvent(event);
      return event.defaultPrevented;
    };
    assert.equal(wheel({}), false);
    assert.deepEqual(done, []);
    assert.equal(wheel({ ctrlKey: true }), true);
    assert.equal(wheel({ metaKey: true, deltaY: 200 }), true);
    assert.deepEqual(done, [["zoom", Math.E, [30, 40]], ["zoom", 1 / Math.E, [30, 40]]]);
  });

  test("whatever fingers do, each stroke that begins ends once, and taps are no strokes", () => {
    const event = fc.tuple(fc.constantFrom("down", "move", "up", "cancel"), fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 300 }));
    fc.assert(fc.property(fc.array(event, { maxLength: 30 }), fc.boolean(), (events, paints) => {
      const { done, finger } = stage(() => paints);
      for (const [type, id, x, y] of events) finger(type, id, x, y);
      for (const id of [1, 2, 3]) finger("cancel", id, 0, 0);
      let open = 0;
      for (const [name] of done) {
        if (name === "start") open += 1;
        if (name === "end") open -= 1;
        assert.ok(open === 0 || open === 1);
        if (name === "stroke") assert.equal(open, 1);
        assert.ok(paints ? name !== "tap" : !["start", "stroke", "end"].includes(name));
      }
      assert.equal(open, 0);
    }));
  });

  test("nothing is heard any more after the end", () => {
    const { element, done, finger, stop } = stage();
    finger("down", 1, 100, 100);
    finger("down", 2, 200, 100);
    stop();
    finger("move", 1, 140, 100);
    finger("up", 1, 10, 10);
    finger("cancel", 2, 10, 10);
    element.dispatchEvent(new window.WheelEvent("wheel", { deltaY: 9, ctrlKey: true }));
    finger("down", 3, 10, 10);
    finger("up", 3, 10, 10);
    assert.deepEqual(done, []);
  });
});

suite("fingers on buttons", () => {
  let clock, root, pressed, clicks;
  setup(() => {
    clock = FakeTimers.install();
    root = place();
    root.innerHTML = '<button data-do="a"><b>A</b></button><button data-do="b" disabled>B</button><p>text</p>';
    [pressed, clicks] = [[], []];
  });
  teardown(() => {
    clock.tick(5000);
    clock.uninstall();
  });
  const heard = (own) => listenToPresses(root, (button) => pressed.push(button.getAttribute("data-do")),
    own && ((event) => clicks.push(event.target)));
  const [A, B, TEXT] = [() => root.querySelector("b"), () => root.querySelector("[disabled]"), () => root.querySelector("p")];
  const at = (time, x = 0, y = 0, id = 1) => ({ timeStamp: time, clientX: x, clientY: y, pointerId: id, detail: 1 });
  const click = (on, given) => {
    const event = new PointerEvent("click", given);
    on.dispatchEvent(event);
    return event;
  };

  test("a button acts when the finger leaves it, and its click does nothing more", () => {
    heard();
    point(A(), "down", at(1000));
    assert.deepEqual(pressed, []);
    point(A(), "up", at(1100));
    assert.deepEqual(pressed, ["a"]);
    click(A(), at(1110));
    assert.deepEqual(pressed, ["a"]);
  });

  test("a click that no finger made counts: from a key, a screen reader, a script", () => {
    heard();
    click(A(), { detail: 0 });
    click(A(), at(90_000));
    click(B(), { detail: 0 });
    click(TEXT(), { detail: 0 });
    assert.deepEqual(pressed, ["a", "a"]);
    point(A(), "down", at(91_000));
    point(A(), "up", at(91_000));
    click(A(), { ...at(91_001), detail: 0 });
    assert.deepEqual(pressed, ["a", "a", "a", "a"]);
    clock.tick(1000);
    click(A(), at(91_801));
    assert.equal(pressed.length, 5);
    click(A(), at(91_800));
    assert.equal(pressed.length, 5);
  });

  test("a finger that wanders off, is broken off, or is another does not press", () => {
    heard();
    point(A(), "down", at(1000));
    point(A(), "up", at(1010, 13, 0));
    point(A(), "down", at(1000));
    point(A(), "up", at(1010, 9, 9));
    point(A(), "down", at(1000));
    point(A(), "cancel", at(1005));
    point(A(), "up", at(1010));
    point(A(), "down", at(1000, 0, 0, 1));
    point(A(), "up", at(1010, 0, 0, 2));
    point(A(), "up", at(1010));
    point(A(), "down", at(1000));
    point(TEXT(), "down", at(1020));
    point(TEXT(), "up", at(1030));
    assert.deepEqual(pressed, []);
    point(A(), "down", at(1000));
    point(A(), "up", at(1010, 12, 0));
    assert.deepEqual(pressed, ["a"]);
  });

  test("what is off stays off, what is no button is none, and other buttons of a mouse neither", () => {
    heard();
    for (const on of [B(), TEXT()]) {
      point(on, "down", at(1000));
      point(on, "up", at(1010));
    }
    point(A(), "down", { ...at(1000), button: 2 });
    point(A(), "up", { ...at(1010), button: 2 });
    assert.deepEqual(pressed, []);
  });

  test("clicks without a finger go where the part wants them", () => {
    heard(true);
    click(TEXT(), { detail: 0 });
    assert.deepEqual([clicks, pressed], [[TEXT()], []]);
    point(A(), "down", at(1000));
    point(A(), "up", at(1010));
    click(A(), at(1020));
    assert.deepEqual([clicks.length, pressed], [1, ["a"]]);
  });

  test("the click after a tap hits nothing that has come under the finger since", () => {
    heard();
    const link = document.body.appendChild(document.createElement("a"));
    let reached = 0;
    link.addEventListener("click", () => (reached += 1));
    const tapped = (more = {}) => {
      point(A(), "down", { ...at(1000, 50, 50), ...more });
      point(A(), "up", { ...at(1010, 50, 50), ...more });
    };
    tapped();
    assert.equal(click(link, at(1300, 60, 60)).defaultPrevented, true);
    assert.equal(reached, 0);
    click(link, at(1310, 60, 60));
    assert.equal(reached, 1);
    tapped();
    assert.equal(click(link, at(1300, 90, 50)).defaultPrevented, false);
    assert.equal(reached, 2);
    tapped();
    click(link, at(1711, 50, 50));
    assert.equal(reached, 3);
    tapped();
    click(link, { ...at(1300, 50, 50), detail: 0 });
    assert.equal(reached, 4);
    tapped({ pointerType: "mouse" });
    click(link, at(1300, 50, 50));
    assert.equal(reached, 5);
    tapped();
    clock.tick(700);
    click(link, at(1300, 50, 50));
    assert.equal(reached, 6);
  });

  test("the click after a tap on a stage hits nothing that has come under the finger since either", () => {
    const { element, done, finger } = stage();
    let reached = 0;
    document.body.addEventListener("click", () => (reached += 1), { once: true });
    const tapped = (more = {}) => {
      for (const [type, x] of [["down", 30], ["up", 34]]) finger(type, 1, x, 40, { timeStamp: 1000, ...more });
      click(element, at(1010, 134, 90));
    };
    tapped();
    assert.deepEqual([done, reached], [[["tap", [30, 40]]], 0]);
    tapped({ pointerType: "mouse" });
    assert.equal(reached, 1);
  });
});

suite("window", () => {
  const boxes = fc.record({
    x: fc.integer({ min: -500, max: 500 }), y: fc.integer({ min: -500, max: 500 }),
    width: fc.integer({ min: 10, max: 2000 }), height: fc.integer({ min: 10, max: 2000 }),
  }, { noNullPrototype: true });
  const sizes = fc.record({ width: fc.integer({ min: 50, max: 900 }), height: fc.integer({ min: 50, max: 900 }) },
    { noNullPrototype: true });
  const shares = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }));
  const near = (a, b, off = 1e-6) => assert.ok(Math.abs(a - b) <= off * Math.max(1, Math.abs(a), Math.abs(b)), `${a} ${b}`);
  const within = (inner, outer) => {
    assert.ok(inner.x >= outer.x - 1e-6 && inner.y >= outer.y - 1e-6);
    assert.ok(inner.x + inner.width <= outer.x + outer.width + 1e-6);
    assert.ok(inner.y + inner.height <= outer.y + outer.height + 1e-6);
  };

  test("a fitted window has the stage's shape, holds all, its middle in the middle, and is no larger", () => {
    fc.assert(fc.property(boxes, sizes, (content, stage) => {
      const box = fitted(content, stage);
      near(box.width / box.height, stage.width / stage.height);
      within(content, box);
      near(box.x + box.width / 2, content.x + content.width / 2);
      near(box.y + box.height / 2, content.y + content.height / 2);
      near(Math.min(box.width - content.width, box.height - content.height), 0);
    }));
  });

  test("squares are as large as a finger where they would else be smaller, in the middle; else all is seen", () => {
    assert.equal(MIN_TARGET_PX, 44);
    fc.assert(fc.property(boxes, sizes, fc.integer({ min: 5, max: 300 }), (content, stage, square) => {
      const [all, box] = [fitted(content, stage), readable(content, stage, square)];
      const pixels = (square * stage.width) / all.width;
      if (pixels >= 44) assert.deepEqual(box, all);
      else {
        near(box.width, Math.max(all.width / 12, (all.width * pixels) / 44));
        near(box.x + box.width / 2, all.x + all.width / 2);
        near(box.y + box.height / 2, all.y + all.height / 2);
      }
    }));
  });

  test("zoom holds the point under the fingers as far as the edge allows, never beyond twelve times", () => {
    fc.assert(fc.property(boxes, shares, fc.double({ min: 0.05, max: 30, noNaN: true }), shares,
      (whole, [left, top], factor, [u, v]) => {
        const box = { ...zoomed(whole, whole, 3, [whole.x + left * whole.width, whole.y + top * whole.height]) };
        const at = /** @type {[number, number]} */ ([box.x + u * box.width, box.y + v * box.height]);
        const next = zoomed(box, whole, factor, at);
        within(next, whole);
        near(next.width, Math.min(whole.width, Math.max(whole.width / 12, box.width / factor)));
        near(next.width / next.height, whole.width / whole.height);
        if (factor >= 1) {
          near(next.x + u * next.width, at[0], 1e-5);
          near(next.y + v * next.height, at[1], 1e-5);
        }
      }));
  });

  test("moving goes with the finger, to the edge and not beyond", () => {
    const whole = { x: 10, y: 20, width: 100, height: 60 };
    const box = { x: 40, y: 40, width: 50, height: 30 };
    assert.deepEqual(panned(box, whole, 5, -4), { ...box, x: 35, y: 44 });
    assert.deepEqual(panned(box, whole, 999, 999), { ...box, x: 10, y: 20 });
    assert.deepEqual(panned(box, whole, -999, -999), { ...box, x: 60, y: 50 });
  });

  test("what is to be seen is seen, and no step is taken for what is seen already", () => {
    fc.assert(fc.property(shares, shares, fc.double({ min: 0, max: 20, noNaN: true }), ([a, b], [c, d], size) => {
      const whole = { x: 0, y: 0, width: 100, height: 80 };
      const box = { x: 50 * a, y: 40 * b, width: 50, height: 40 };
      const inner = { x: c * (100 - size), y: d * (80 - size), width: size, height: size };
      const next = showing(box, whole, inner);
      within(inner, next);
      within(next, whole);
      for (const [axis, length] of /** @type {const} */ ([["x", "width"], ["y", "height"]])) {
        const far = inner[axis] + size - box[axis] - box[length];
        const step = inner[axis] < box[axis] ? inner[axis] - box[axis] : Math.max(0, far);
        near(next[axis] - box[axis], step);
      }
    }));
  });

  function view({ width = 200, height = 100 } = {}) {
    const element = sized(place(), { x: 10, y: 20, width, height });
    const shown = [];
    const made = new View(element, () => shown.push({ ...made.box }));
    return { element, shown, view: made };
  }
  const CONTENT = { x: 0, y: 0, width: 400, height: 200 };

  test("a view fits once to what is drawn and to each size, and is left alone in between", () => {
    const { element, view: one, shown } = view();
    assert.equal(one.fit(CONTENT, 0, "a"), true);
    assert.deepEqual(shown, [CONTENT]);
    assert.equal(one.scale, 2);
    assert.equal(one.zoomedIn, false);
    one.zoom(2);
    assert.deepEqual(one.box, { x: 100, y: 50, width: 200, height: 100 });
    assert.equal(one.zoomedIn, true);
    assert.equal(one.fit(CONTENT, 0, "a"), false);
    assert.equal(one.box.width, 200);
    assert.equal(one.fit(CONTENT, 0, "b"), true);
    assert.deepEqual(one.box, CONTENT);
    sized(element, { width: 200, height: 200 });
    assert.equal(one.fit(CONTENT, 0, "b"), true);
    assert.deepEqual(one.box, { x: 0, y: -100, width: 400, height: 400 });
    assert.equal(one.fit(CONTENT, 0), true);
  });

  test("a view without a size waits; squares are fitted for fingers, all of it stays within reach", () => {
    const { view: one, element, shown } = view({ width: 0, height: 100 });
    assert.equal(one.fit(CONTENT, 40), false);
    sized(element, { width: 200, height: 0 });
    assert.equal(one.fit(CONTENT, 40), false);
    assert.equal(shown.length, 0);
    sized(element, { width: 200, height: 100 });
    assert.equal(one.fit(CONTENT, 40), true);
    assert.equal((40 * 200) / one.box.width, 44);
    assert.deepEqual(one.whole, CONTENT);
  });

  test("points go from the screen to the drawing and back, wherever the view is", () => {
    const { view: one } = view();
    one.fit(CONTENT, 0);
    assert.deepEqual(one.fromScreen([50, 25]), [100, 50]);
    one.zoom(4, [50, 25]);
    one.pan(3, -2);
    assert.deepEqual(one.toScreen([100, 50]).map((each) => Math.round(each)), [53, 23]);
    for (const point of /** @type {[number, number][]} */ ([[0, 0], [120, 30], [399, 199]]))
      one.toScreen(one.fromScreen(point)).forEach((value, axis) => near(value, point[axis]));
    one.reveal({ x: 390, y: 190, width: 10, height: 10 });
    near(one.toScreen([400, 200])[0], 200);
    near(one.toScreen([400, 200])[1], 100);
  });

  test("two fingers move and zoom the view, a change of size is told, and after the end nothing", () => {
    const { element, view: one } = view();
    one.fit(CONTENT, 0);
    let [sizes, taps] = [0, []];
    const stop = one.listen({
      strokes: () => false, tap: (at) => taps.push(at), start() {}, stroke() {}, end() {},
    }, () => (sizes += 1));
    resized(element);
    assert.equal(sizes, 1);
    point(element, "down", { clientX: 30, clientY: 40 });
    point(element, "up", { clientX: 30, clientY: 40 });
    assert.deepEqual(taps, [[20, 20]]);
    point(element, "down", { pointerId: 1, clientX: 60, clientY: 70 });
    point(element, "down", { pointerId: 2, clientX: 160, clientY: 70 });
    point(element, "move", { pointerId: 2, clientX: 260, clientY: 70 });
    near(one.box.width, 200);
    point(element, "up", { pointerId: 1 });
    point(element, "up", { pointerId: 2 });
    const { x } = one.box;
    point(element, "down", { pointerId: 1, clientX: 60, clientY: 70 });
    point(element, "move", { pointerId: 1, clientX: 80, clientY: 70 });
    near(one.box.x, x - 20);
    stop();
    assert.equal(watchers.size, 0);
    point(element, "move", { pointerId: 1, clientX: 10, clientY: 70 });
    near(one.box.x, x - 20);
  });
});
