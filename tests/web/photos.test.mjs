// @ts-check
/** Photos on their way: shown, made smaller, sent, sent again, waited for; and the camera's offer. */

import assert from "node:assert/strict";

import FakeTimers from "@sinonjs/fake-timers";

import { media, place, window } from "./page.mjs";
import { drawn } from "./phone.mjs";
import { keepPhoto, keptPhotos } from "../../companion/web/shell/static/kept.mjs";
import { clearWaiting, offerCamera, receiveFiles, reduced } from "../../companion/web/shell/static/photos.mjs";

const soon = async () => {
  for (let step = 0; step < 40; step += 1) await Promise.resolve();
};
const answer = (status, body = "") => ({
  ok: status < 300, status, text: async () => body, json: async () => JSON.parse(body),
});

suite("photos", () => {
  let clock, acts, asked, answers, field;
  setup(() => {
    clock = FakeTimers.install();
    [acts, asked] = [[], []];
    answers = (address) => (address === "turn" ? answer(200, '{"before": 0}') : answer(200, '{"id": "p1"}'));
    globalThis.fetch = /** @type {any} */ (async (address, how = {}) => {
      asked.push([address, how.method ?? "GET", how.body]);
      const given = answers(address, asked.filter(([each]) => each === address).length);
      if (given instanceof Error) throw given;
      return given;
    });
    URL.createObjectURL = () => "blob:photo";
    field = place("input");
    field.dataset.photo = "7";
    field.dataset.waiting = "Reading …";
    field.dataset.turn = "{count} before you";
    field.dataset.failed = "Not sent.";
  });
  teardown(() => {
    clearWaiting();
    clock.uninstall();
  });
  const file = (size = 10, name = "a.jpg") => new File([new Uint8Array(size)], name, { type: "image/jpeg" });
  const receive = (...files) => {
    const cleared = [];
    const given = {
      files, dataset: field.dataset, cleared,
      // A field that is cleared has no files any more.
      set value(text) { cleared.push(text); given.files = []; },
    };
    const done = receiveFiles(/** @type {any} */ (given), (name, value) => acts.push([name, value]));
    return { done, cleared };
  };
  const figures = () => [...document.querySelectorAll(".waiting-layer figure.waiting")];
  const said = () => figures().map((each) => each.querySelector("figcaption")?.textContent);
  const posts = () => asked.filter(([address]) => address !== "turn").map(([address, how]) => [address, how]);

  test("a photo is seen at once and goes up; its id and the field's value are the act", async () => {
    const { done, cleared } = receive(file());
    assert.deepEqual(cleared, [""]);
    assert.deepEqual(said(), ["Reading …"]);
    const [figure] = figures();
    assert.deepEqual([figure.querySelector("img").src, figure.querySelector("img").alt], ["blob:photo", ""]);
    assert.equal(figure.querySelector("figcaption").getAttribute("role"), "status");
    await done;
    assert.deepEqual(posts(), [["photo", "POST"]]);
    assert.equal(asked.find(([address]) => address === "photo")[2].size, 10);
    assert.deepEqual(acts, [["photo", "7|p1"]]);
    assert.equal(figures().length, 1);
    clearWaiting();
    assert.equal(figures().length, 0);
    clearWaiting();
  });

  test("several photos are one act, in the order in which they were chosen", async () => {
    answers = (address, times) => answer(200, JSON.stringify({ id: `p${times}` }));
    await receive(file(), file(), file()).done;
    assert.deepEqual(acts, [["photo", "7|p1 p2 p3"]]);
    assert.equal(document.querySelectorAll(".waiting-layer").length, 1);
    assert.equal(figures().length, 3);
  });

  test("nothing chosen is nothing done", async () => {
    await receive().done;
    assert.deepEqual([acts, asked], [[], []]);
    delete field.dataset.photo;
    await receive(file()).done;
    assert.deepEqual(acts, [["photo", "|p1"]]);
  });

  test("without room a photo is sent again every two seconds, eight times at most", async () => {
    answers = (address, times) => (address === "photo" && times < 4 ? answer(503) : answer(200, '{"id": "p4"}'));
    const { done } = receive(file());
    await soon();
    assert.equal(posts().length, 1);
    await clock.tickAsync(1999);
    assert.equal(posts().length, 1);
    await clock.tickAsync(1);
    assert.equal(posts().length, 2);
    await clock.tickAsync(4000);
    await done;
    assert.equal(posts().length, 4);
    assert.deepEqual(acts, [["photo", "7|p4"]]);
    answers = () => answer(503);
    asked.length = 0;
    const never = receive(file());
    await clock.tickAsync(60_000);
    await never.done;
    assert.equal(posts().length, 8);
  });

  for (const [what, given] of /** @type {[string, () => any][]} */ ([
    ["refused", () => answer(413)], ["without an id", () => answer(200, "no")],
  ]))
    test(`a photo that is ${what} says so for four seconds and is no act`, async () => {
      answers = given;
      await receive(file()).done;
      assert.deepEqual(acts, []);
      assert.deepEqual(said(), ["Not sent."]);
      assert.equal(document.querySelector(".waiting-layer [role=alert]")?.textContent, "Not sent.");
      assert.equal(posts().length, 1);
      await clock.tickAsync(3999);
      assert.equal(figures().length, 1);
      await clock.tickAsync(1);
      assert.equal(document.querySelector(".waiting-layer"), null);
    });

  test("a photo that is refused takes no other one's place that is still waited for", async () => {
    answers = (address, times) => (address === "turn" ? answer(200, '{"before": 0}') : answer(times === 1 ? 413 : 503));
    receive(file());
    await clock.tickAsync(3000);
    receive(file());
    await clock.tickAsync(1000);
    assert.deepEqual(said(), ["Reading …"]);
    await clock.tickAsync(60_000);
    assert.equal(document.querySelector(".waiting-layer"), null);
  });

  test("without a connection a photo waits, says so, and is sent as soon as there is one", async () => {
    field.dataset.later = "Later.";
    let online = false;
    answers = (address) => (online ? answer(200, '{"id": "p1"}') : new Error("offline"));
    const { done } = receive(file());
    await clock.tickAsync(0);
    assert.deepEqual([said(), acts], [["Later."], []]);
    await clock.tickAsync(60_000);
    assert.deepEqual([said(), acts, posts().length], [["Later."], [], 31]);
    online = true;
    dispatchEvent(new window.Event("online"));
    await done;
    assert.deepEqual([said(), acts], [["Reading …"], [["photo", "7|p1"]]]);
  });

  suite("while Streamlit has no connection", () => {
    let app;
    setup(() => {
      app = document.body.appendChild(document.createElement("div"));
      app.dataset.testid = "stApp";
      app.setAttribute("data-test-connection-state", "PINGING_SERVER");
    });
    const connect = () => {
      app.setAttribute("data-test-connection-state", "CONNECTED");
      dispatchEvent(new window.Event("connected"));
    };

    test("a photo that the server has is told of as soon as there is one", async () => {
      const { done } = receive(file());
      await clock.tickAsync(10_000);
      assert.deepEqual([posts().length, acts], [1, []]);
      connect();
      await done;
      assert.deepEqual(acts, [["photo", "7|p1"]]);
    });

    test("a server that does not know the phone yet is asked for as long, and a while longer", async () => {
      answers = (address) => answer(address === "turn" ? 200 : 403, '{"before": 0}');
      const { done } = receive(file());
      let pages = 0;
      const asksForPage = () => (pages += 1);
      addEventListener("popstate", asksForPage);
      await clock.tickAsync(60_000);
      assert.deepEqual([posts().length, said(), pages], [31, ["Reading …"], 0]);
      connect();
      await clock.tickAsync(56_000);
      removeEventListener("popstate", asksForPage);
      assert.equal(pages, 7);
      answers = (address) => answer(200, address === "turn" ? '{"before": 0}' : '{"id": "p1"}');
      await clock.tickAsync(2000);
      await done;
      assert.deepEqual([posts().length, acts], [60, [["photo", "7|p1"]]]);
    });
  });

  test("on a page without a server a photo waits for the page after it", async () => {
    field.dataset.later = "Later.";
    place("div").className = "offline";
    receive(file());
    await clock.tickAsync(60_000);
    document.querySelector(".offline")?.remove();
    assert.deepEqual([said(), acts, posts()], [["Later."], [], []]);
  });

  suite("that a page before this one could not send", () => {
    let resume, number = 0;
    setup(async () => {
      // A page is begun once.
      ({ resumePhotos: resume } = await import(`../../companion/web/shell/static/photos.mjs?${(number += 1)}`));
      await keptPhotos();
      drawn("photos").clear();
    });
    const root = (...names) => {
      const element = place("section");
      for (const name of names) {
        const input = Object.assign(document.createElement("input"), { type: "file" });
        if (name) input.dataset.photo = name;
        input.dataset.waiting = `Reading ${name}`;
        element.append(input);
      }
      return element;
    };
    const act = (name, value) => acts.push([name, value]);

    test("are sent once, to what they were taken for, and forgotten", async () => {
      let id = 0;
      answers = (address) => answer(200, address === "turn" ? '{"before": 0}' : `{"id": "p${(id += 1)}"}`);
      await keepPhoto(file(1), "seat:2");
      await keepPhoto(file(2), "seat:1");
      await keepPhoto(file(3), "seat:2");
      await keepPhoto(file(4), "seat:9");
      const page = root("", "seat:1", "seat:2");
      await resume(page, act);
      assert.deepEqual(said().sort(), ["Reading seat:1", "Reading seat:1", "Reading seat:2", "Reading seat:2"]);
      await clock.tickAsync(0);
      assert.deepEqual(acts.map(([name, value]) => [name, value.split("|")[0], value.split(" ").length]).sort(),
        [["photo", "seat:1", 1], ["photo", "seat:1", 1], ["photo", "seat:2", 2]]);
      assert.deepEqual(asked.filter(([address]) => address === "photo").map(([, , body]) => body.size).sort(), [1, 2, 3, 4]);
      assert.equal(drawn("photos").size, 0);
      await keepPhoto(file(5), "seat:1");
      await resume(page, act);
      await clock.tickAsync(0);
      assert.equal(drawn("photos").size, 1);
      window.history.replaceState(null, "", "/?game=g2");
      try {
        await keepPhoto(file(6), "seat:2");
        await resume(page, act);
        await clock.tickAsync(0);
        assert.deepEqual([acts.at(-1)[1].split("|")[0], drawn("photos").size], ["seat:2", 1]);
      } finally {
        window.history.replaceState(null, "", "/?game=g1");
      }
    });

    test("are sent from the first page, whose address names nothing", async () => {
      window.history.replaceState(null, "", "/");
      try {
        await keepPhoto(file(), "");
        const input = Object.assign(document.createElement("input"), { type: "file" });
        input.dataset.photo = "";
        const page = place("section");
        page.append(input);
        await resume(page, act);
        await clock.tickAsync(0);
        assert.deepEqual([drawn("photos").size, acts], [0, [["photo", "|p1"]]]);
      } finally {
        window.history.replaceState(null, "", "/?game=g1");
      }
    });

    test("wait on where a page takes no photos, or has no server", async () => {
      await keepPhoto(file(), "seat:1");
      await resume(root(""), act);
      const offline = root("seat:1");
      offline.className = "offline";
      await resume(offline, act);
      await clock.tickAsync(10);
      assert.deepEqual([drawn("photos").size, posts()], [1, []]);
      await resume(root("seat:1"), act);
      await clock.tickAsync(0);
      assert.deepEqual([drawn("photos").size, acts], [0, [["photo", "seat:1|p1"]]]);
    });

    test("wait for whoever comes back to the page that was left meanwhile, who may be there already", async () => {
      answers = (address, times) => (address === "photo" && times === 1 ? answer(503) : answer(200, '{"id": "p1", "before": 0}'));
      await keepPhoto(file(), "seat:1");
      await resume(root("seat:1"), act);
      await clock.tickAsync(0);
      window.history.replaceState(null, "", "/?game=g2");
      await clock.tickAsync(2000);
      assert.deepEqual([acts, said(), drawn("photos").size], [[], [], 1]);
      window.history.replaceState(null, "", "/?game=g1");
      asked.length = 0;
      await resume(root("seat:1"), () => false);
      await clock.tickAsync(0);
      // Left and come back to while it was on its way.
      await resume(root("seat:1"), act);
      await clock.tickAsync(2000);
      assert.deepEqual([acts, drawn("photos").size], [[["photo", "seat:1|p1"]], 0]);
    });

    test("another photo of a kingdom waits for its own field, which takes no others", async () => {
      await keepPhoto(file(1), "another:2");
      await keepPhoto(file(2), "seat:9");
      await resume(root("another:1", "seat:1"), act);
      await clock.tickAsync(0);
      assert.deepEqual([drawn("photos").size, acts], [1, [["photo", "seat:1|p1"]]]);
    });

    test("a photo is kept until its id is known here, and not longer", async () => {
      let come = () => {};
      answers = (address) => (address === "turn" ? answer(200, '{"before": 0}')
        : new Promise((given) => { come = () => given(answer(200, '{"id": "p1"}')); }));
      const { done } = receive(file());
      await clock.tickAsync(0);
      assert.deepEqual([...drawn("photos").values()].map(({ to, photo }) => [to, photo.size]), [["7", 10]]);
      come();
      await done;
      assert.equal(drawn("photos").size, 0);
      answers = () => answer(413);
      await receive(file()).done;
      assert.equal(drawn("photos").size, 0);
    });
  });

  test("one photo of two that fails keeps the other", async () => {
    answers = (address, times) => (times === 1 && address === "photo" ? answer(400) : answer(200, '{"id": "p2"}'));
    await receive(file(), file()).done;
    assert.deepEqual(acts, [["photo", "7|p2"]]);
  });

  test("how many photos are read before is said every second and a half, as long as it is waited for", async () => {
    let before = 3;
    answers = (address) => (address === "turn" ? answer(200, JSON.stringify({ before })) : answer(200, '{"id": "p"}'));
    await receive(file()).done;
    await clock.tickAsync(1499);
    assert.equal(asked.filter(([address]) => address === "turn").length, 0);
    await clock.tickAsync(1);
    assert.deepEqual(said(), ["3 before you"]);
    // What is the same is not read out again.
    const { firstChild } = figures()[0].querySelector("figcaption");
    await clock.tickAsync(1500);
    assert.equal(figures()[0].querySelector("figcaption").firstChild, firstChild);
    before = 1;
    await clock.tickAsync(1500);
    assert.deepEqual(said(), ["1 before you"]);
    before = 0;
    await clock.tickAsync(1500);
    assert.deepEqual(said(), ["Reading …"]);
    clearWaiting();
    const { length } = asked;
    await clock.tickAsync(6000);
    assert.equal(asked.length, length);
  });

  test("where nothing is said about turns, or none can be asked for, the words stay", async () => {
    delete field.dataset.turn;
    await receive(file()).done;
    await clock.tickAsync(4000);
    assert.deepEqual([said(), asked.length], [["Reading …"], 1]);
    clearWaiting();
    field.dataset.turn = "{count}";
    answers = (address) => (address === "turn" ? new Error("offline") : answer(200, '{"id": "p"}'));
    await receive(file()).done;
    await clock.tickAsync(6000);
    assert.deepEqual(said(), ["Reading …"]);
    assert.equal(asked.filter(([address]) => address === "turn").length, 1);
  });

  test("a picture that the browser cannot show is left out, the words stay", async () => {
    await receive(file()).done;
    figures()[0].querySelector("img").dispatchEvent(new window.Event("error"));
    assert.equal(figures()[0].querySelector("img"), null);
    assert.deepEqual(said(), ["Reading …"]);
  });

  test("a file with games goes where such files go; the page is told what the server made of it", async () => {
    field.dataset.file = "load";
    for (const [status, told] of /** @type {[number, string][]} */ ([[200, "ok 3"], [400, "bad line 2"], [500, ""]])) {
      answers = () => answer(status, status === 500 ? "trace" : told);
      await receive(file()).done;
      assert.deepEqual(acts.at(-1), ["load", told]);
    }
    answers = () => new Error("offline");
    await receive(file(), file()).done;
    assert.deepEqual([acts.length, acts.at(-1)], [4, ["load", ""]]);
    await receive().done;
    assert.equal(acts.length, 4);
    assert.deepEqual(posts()[0], ["saved", "POST"]);
    assert.equal(figures().length, 0);
  });

  suite("made smaller", () => {
    let pen, made, closed;
    const canvas = (size) => {
      pen = [];
      window.HTMLCanvasElement.prototype.getContext = function () {
        return Object.assign(pen, { drawImage: (...what) => pen.push(what.slice(1), this.width, this.height) });
      };
      window.HTMLCanvasElement.prototype.toBlob = function (come, type, quality) {
        made = [type, quality];
        come(size === null ? null : new Blob([new Uint8Array(size)], { type }));
      };
    };
    const picture = (width, height) => {
      closed = 0;
      globalThis.createImageBitmap = /** @type {any} */ (async (from, how) => {
        assert.deepEqual(how, { imageOrientation: "from-image" });
        return { width, height, close: () => (closed += 1) };
      });
    };

    test("a small file goes as it is", async () => {
      const small = file(899_999);
      assert.equal(await reduced(small), small);
    });

    test("a large one has at most 2600 px on its longer side, upright, as a good JPEG", async () => {
      for (const [[width, height], expected] of /** @type {[number[], number[]][]} */ ([
        [[4032, 3024], [2600, 1950]], [[3024, 4032], [1950, 2600]], [[1000, 801], [1000, 801]],
      ])) {
        picture(width, height);
        canvas(5000);
        const found = await reduced(file(900_000));
        assert.equal(found.size, 5000);
        assert.deepEqual(pen.slice(), [[0, 0, ...expected], ...expected]);
        assert.equal(pen.imageSmoothingQuality, "high");
        assert.deepEqual(made, ["image/jpeg", 0.92]);
        assert.equal(closed, 1);
      }
    });

    test("what was made smaller is what goes up, and what is kept until it is there", async () => {
      field.dataset.later = "Later.";
      answers = () => new Error("offline");
      picture(4000, 3000);
      canvas(5000);
      receive(file(900_000));
      await clock.tickAsync(0);
      const kept = [...drawn("photos").values()].at(-1).photo;
      assert.deepEqual([asked[0][2].size, kept.size], [5000, 5000]);
    });

    test("what would be no smaller, or cannot be drawn, goes as it is", async () => {
      const large = file(900_000);
      picture(4000, 3000);
      canvas(900_000);
      assert.equal(await reduced(large), large);
      canvas(null);
      assert.equal(await reduced(large), large);
      globalThis.createImageBitmap = /** @type {any} */ (async () => { throw new Error("HEIC"); });
      assert.equal(await reduced(large), large);
    });
  });
});

suite("the camera's offer", () => {
  let opened, prevented, button;
  suiteSetup(() => offerCamera());
  setup(() => {
    document.body.innerHTML = '<label class="button"><b>Photo</b><input type="file" data-photo="7"></label><p>x</p>';
    button = document.querySelector("b");
    opened = 0;
    document.querySelector("input").addEventListener("click", () => (opened += 1));
    sessionStorage.clear();
    media["(pointer: coarse)"] = true;
    window.HTMLDialogElement.prototype.showModal = function () { this.open = true; };
    navigator.mediaDevices = { getUserMedia: async () => { throw new Error("none"); } };
    globalThis.isSecureContext = true;
  });
  teardown(() => {
    document.body.replaceChildren();
    delete navigator.mediaDevices;
    delete media["(pointer: coarse)"];
  });
  // No event that a script makes is trusted, but those of a finger are.
  const tapped = (on = button, isTrusted = true) => {
    const event = new window.MouseEvent("click", { bubbles: true, cancelable: true });
    const fake = new Proxy(event, {
      get: (target, name) => {
        if (name === "isTrusted") return isTrusted;
        if (name === "target") return on;
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    prevented = false;
    fakeClick(fake);
    prevented = event.defaultPrevented;
    // Nothing else on the page acts on a tap that opened the camera.
    assert.equal(event.cancelBubble, prevented);
    return prevented;
  };
  let fakeClick;
  suiteSetup(() => {
    const heard = [];
    const { addEventListener } = document;
    document.addEventListener = (name, listener, how) => {
      heard.push([name, how]);
      fakeClick = listener;
    };
    offerCamera();
    document.addEventListener = addEventListener;
    assert.deepEqual(heard, [["click", true]]);
  });

  test("a phone with a camera opens the view in place of the file chooser", async () => {
    assert.equal(tapped(), true);
    await new Promise((come) => setTimeout(come, 60));
    assert.equal(document.querySelectorAll("dialog.camera").length, 1);
    assert.equal(opened, 0);
    document.querySelector("dialog.camera")?.remove();
  });

  test("a refusal is kept for this page where it may be; a phone that keeps nothing is asked again", async () => {
    const { sessionStorage: kept } = globalThis;
    const refuse = async () => {
      navigator.mediaDevices.getUserMedia = async () => { throw new window.DOMException("", "NotAllowedError"); };
      tapped();
      await new Promise((come) => setTimeout(come, 60));
      assert.equal(document.querySelector("dialog.camera")?.hasAttribute("data-refused"), true);
      document.querySelector("dialog.camera")?.remove();
    };
    globalThis.sessionStorage = /** @type {any} */ ({
      getItem() { throw new Error("denied"); }, setItem() { throw new Error("full"); } });
    await refuse();
    assert.equal(tapped(), true);
    await new Promise((come) => setTimeout(come, 60));
    document.querySelector("dialog.camera")?.remove();
    globalThis.sessionStorage = kept;
    await refuse();
    assert.equal(kept.getItem("camera refused"), "true");
    assert.equal(tapped(), false);
  });

  test("nobody else does: no camera, no secure page, a mouse, a refusal, a script's click, another place", () => {
    const without = [
      () => { delete navigator.mediaDevices; },
      () => { navigator.mediaDevices = /** @type {any} */ ({}); },
      () => { globalThis.isSecureContext = false; },
      () => { media["(pointer: coarse)"] = false; },
      () => { sessionStorage.setItem("camera refused", "true"); },
    ];
    for (const take of without) {
      const before = navigator.mediaDevices;
      take();
      assert.equal(tapped(), false, String(take));
      [globalThis.isSecureContext, media["(pointer: coarse)"]] = [true, true];
      navigator.mediaDevices = before;
      sessionStorage.clear();
    }
    assert.equal(tapped(button, false), false);
    assert.equal(tapped(document.querySelector("p")), false);
    document.querySelector("input").removeAttribute("data-photo");
    assert.equal(tapped(), false);
  });
});
