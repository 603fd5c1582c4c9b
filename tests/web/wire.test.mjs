// @ts-check
/** What is on its way: in order, twice, late, lost, of another page; and a page that is left. */

import assert from "node:assert/strict";

import FakeTimers from "@sinonjs/fake-timers";
import fc from "fast-check";

import { storage } from "./phone.mjs";
import {
  LATE_MS, MAX_DONE, MAX_WAIT_MS, Wire, newClient, numbered, whenAnswered,
} from "../../companion/web/shell/static/wire.mjs";

suite("wire", () => {
  let clock, sent, conditions, opened;
  /** What there is around other tests; none of it is needed here. */
  const { addEventListener, removeEventListener, dispatchEvent, PopStateEvent } = globalThis;
  const around = { addEventListener, removeEventListener, dispatchEvent, PopStateEvent };

  setup(() => {
    for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"]) globalThis[name] = undefined;
    clock = FakeTimers.install();
    [sent, conditions, opened] = [[], [], []];
  });
  teardown(() => {
    for (const each of opened) each.close();
    clock.uninstall();
    Object.assign(globalThis, around);
  });

  function wire(how = {}) {
    const made = new Wire((message) => sent.push(message), {
      client: "me",
      onCondition: (now, before) => conditions.push([before, now]),
      ...how,
    });
    opened.push(made);
    return made;
  }
  const numbers = () => sent.map(({ done }) => done.map(({ seq }) => seq));

  test("each message has a number and all that is not answered, oldest first", () => {
    const one = wire({ more: () => ({ kingdom: "w" }) });
    assert.equal(one.idle, true);
    one.add({ kind: "set", value: "w1" });
    one.add({ kind: "undo" });
    assert.equal(one.idle, false);
    assert.deepEqual(sent, [
      { client: "me", seq: 1, done: [{ seq: 1, kind: "set", value: "w1" }], kingdom: "w" },
      {
        client: "me", seq: 2, kingdom: "w",
        done: [{ seq: 1, kind: "set", value: "w1" }, { seq: 2, kind: "undo" }],
      },
    ]);
    assert.equal(one.receive({ client: "me", seq: 1 }), "waiting");
    one.add({ kind: "redo" });
    assert.deepEqual(numbers().at(-1), [2, 3]);
    assert.equal(one.receive({ client: "me", seq: 3 }), "idle");
    assert.deepEqual(one.done, []);
  });

  test("what else goes up is as it is when it goes up", () => {
    let kingdom = "w";
    const one = wire({ more: () => ({ kingdom }) });
    one.add({});
    kingdom = "f";
    clock.tick(LATE_MS);
    assert.deepEqual(sent.map((each) => each.kingdom), ["w", "f"]);
  });

  test("answers to others, of the future and none at all answer nothing", () => {
    const one = wire();
    assert.equal(one.receive(null), "idle");
    one.add({});
    one.add({});
    for (const answer of [{ client: "you", seq: 2 }, { client: "me", seq: 3 }, null, undefined])
      assert.equal(one.receive(answer), "waiting");
    assert.equal(one.answered, 0);
    assert.equal(one.done.length, 2);
  });

  test("an answer that comes twice is the same once more; an older one is stale", () => {
    const one = wire();
    for (let step = 0; step < 3; step += 1) one.add({});
    assert.equal(one.receive({ client: "me", seq: 2 }), "waiting");
    assert.equal(one.receive({ client: "me", seq: 1 }), "stale");
    assert.equal(one.receive({ client: "me", seq: 2 }), "waiting");
    assert.equal(one.receive({ client: "me", seq: 3 }), "idle");
    assert.equal(one.receive({ client: "me", seq: 3 }), "idle");
    assert.equal(one.receive({ client: "me", seq: 2 }), "stale");
    assert.equal(one.receive({ client: "you", seq: 1 }), "idle");
    assert.equal(one.answered, 3);
  });

  test("what was answered just now is known, and only just now", () => {
    let kingdom = 0;
    const one = wire({ more: () => ({ kingdom: (kingdom += 1) }) });
    one.add({});
    one.add({});
    one.add({});
    one.receive({ client: "me", seq: 2 });
    assert.equal(one.last?.kingdom, 2);
    assert.deepEqual([...one.sent.keys()], [3]);
    one.receive({ client: "you", seq: 9 });
    assert.equal(one.last, undefined);
    one.receive({ client: "me", seq: 2 });
    assert.equal(one.last, undefined);
  });

  test("whatever answers come in whatever order, nothing is lost and nothing is sent twice", () => {
    const step = fc.oneof(
      fc.constant({ add: true }),
      fc.record({ client: fc.constantFrom("me", "you"), seq: fc.integer({ min: 1, max: 12 }) }),
      fc.constant({ wait: LATE_MS }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        sent = [];
        const one = wire();
        let [made, newest] = [0, 0];
        for (const each of steps) {
          if ("add" in each) {
            one.add({ kind: `${(made += 1)}` });
          } else if ("wait" in each) clock.tick(each.wait);
          else {
            const counts = each.client === "me" && each.seq <= made;
            const received = one.receive(each);
            assert.equal(received === "stale", counts && each.seq < newest);
            if (counts) newest = Math.max(newest, each.seq);
          }
          assert.equal(one.answered, newest);
          assert.equal(one.idle, newest === made);
          assert.equal(one.condition === "calm", newest === made);
          const left = Array.from({ length: made - newest }, (_, k) => newest + 1 + k);
          assert.deepEqual(one.done.map(({ seq }) => seq), left);
          assert.deepEqual(one.done.map(({ kind }) => kind), left.map(String));
        }
        one.close();
        const [count, last] = [sent.length, sent.at(-1)];
        clock.tick(10 * LATE_MS);
        assert.equal(sent.length, count);
        if (last) assert.equal(last.seq, made);
      }),
      { numRuns: 300 },
    );
  });

  test("what is not answered is late after two and a half seconds, and sent again until it is", () => {
    const one = wire();
    one.add({});
    clock.tick(2499);
    assert.deepEqual(conditions, [["calm", "sending"]]);
    clock.tick(1);
    assert.deepEqual(conditions.at(-1), ["sending", "late"]);
    clock.tick(LATE_MS);
    assert.deepEqual(numbers(), [[1], [1], [1]]);
    one.add({});
    assert.deepEqual(conditions.at(-1), ["sending", "late"]);
    clock.tick(LATE_MS - 1);
    assert.equal(sent.length, 4);
    one.receive({ client: "me", seq: 1 });
    assert.equal(one.condition, "late");
    clock.tick(1);
    assert.equal(sent.length, 5);
    one.receive({ client: "me", seq: 2 });
    assert.deepEqual(conditions.at(-1), ["late", "calm"]);
    clock.tick(20 * LATE_MS);
    assert.equal(sent.length, 5);
    assert.equal(conditions.length, 3);
  });

  test("hours without a connection don't make messages without end", () => {
    const one = wire();
    for (let step = 0; step < MAX_DONE + 50; step += 1) one.add({});
    assert.equal(MAX_DONE, 200);
    assert.deepEqual([sent.at(-1).done[0].seq, sent.at(-1).done.length], [51, 200]);
  });

  suite("kept on the phone", () => {
    setup(() => { globalThis.localStorage = storage(); });
    teardown(() => { delete globalThis.localStorage; });
    const more = () => ({ kingdom: "w" });

    test("what is not answered is sent by the next page, under the same name and number", () => {
      const one = wire({ keep: "board-1", more });
      one.add({ kind: "set" });
      one.add({ kind: "turn" });
      one.close();
      sent.length = 0;
      const two = wire({ client: "other", keep: "board-1", more });
      assert.deepEqual([two.left.kingdom, two.client, two.seq, two.idle], ["w", "me", 2, false]);
      clock.tick(0);
      assert.deepEqual(sent, [{ client: "me", seq: 2, kingdom: "w", done: [{ seq: 1, kind: "set" }, { seq: 2, kind: "turn" }] }]);
      two.add({ kind: "undo" });
      assert.deepEqual(numbers().at(-1), [1, 2, 3]);
      assert.equal(two.receive({ client: "me", seq: 3 }), "idle");
      assert.equal(globalThis.localStorage.held.size, 0);
      assert.equal(wire({ keep: "board-1", more }).left, null);
    });

    test("a page that goes away says so, so that the next one need not wait; one without a name keeps nothing", () => {
      const heard = [];
      globalThis.addEventListener = /** @type {any} */ ((name, work) => heard.push([name, work]));
      globalThis.removeEventListener = /** @type {any} */ ((name, work) => heard.splice(heard.findIndex((each) => each[0] === name && each[1] === work), 1));
      const leave = () => heard.forEach(([name, work]) => { if (name === "pagehide") work(); });
      wire({ more }).add({ kind: "set" });
      assert.deepEqual([heard.map(([name]) => name), globalThis.localStorage.held.size], [["online"], 0]);
      const one = wire({ keep: "board-1", more });
      leave();
      assert.equal(globalThis.localStorage.held.size, 0);
      one.add({ kind: "set" });
      assert.equal(wire({ keep: "board-1", more }).left, null);
      assert.equal(JSON.parse(globalThis.localStorage.held.get("waiting board-1")).left, false);
      leave();
      assert.equal(JSON.parse(globalThis.localStorage.held.get("waiting board-1")).left, true);
      one.receive({ client: "me", seq: 1 });
      leave();
      assert.equal(globalThis.localStorage.held.size, 0);
      for (const each of opened.splice(0)) each.close();
      assert.deepEqual(heard, []);
    });

    test("what another page forgot meanwhile is kept again when this one goes, if it still waits", () => {
      globalThis.localStorage.setItem("waiting board-1", JSON.stringify({ message: { client: "gone", seq: 1, done: [{ seq: 1 }] }, left: true, at: 0 }));
      const one = wire({ keep: "board-1", more });
      globalThis.localStorage.held.clear();
      one.close();
      assert.equal(JSON.parse(globalThis.localStorage.held.get("waiting board-1")).message.client, "gone");
    });

    test("a part takes up only its own, and nothing that was answered", () => {
      const one = wire({ keep: "board-1", more });
      one.add({ kind: "set" });
      one.close();
      assert.equal(wire({ keep: "board-2", more }).left, null);
      assert.equal(wire({ more }).left, null);
      assert.notEqual(wire({ keep: "board-1", more }).left, null);
    });

    test("what another page has open is its own for ten seconds", () => {
      wire({ keep: "board-1", more }).add({ kind: "set" });
      assert.equal(wire({ keep: "board-1", more }).left, null);
      globalThis.localStorage.setItem("waiting board-1", JSON.stringify({
        message: { client: "gone", seq: 1, done: [{ seq: 1 }] }, left: false, at: Date.now() - 10_001 }));
      assert.equal(wire({ keep: "board-1", more }).client, "gone");
    });

    test("where nothing may be kept, or nonsense is, all works without it", () => {
      globalThis.localStorage.setItem("waiting board-1", "{");
      assert.equal(wire({ keep: "board-1" }).left, null);
      globalThis.localStorage = /** @type {any} */ ({ getItem() { throw new Error("denied"); }, setItem() { throw new Error("full"); }, removeItem() { throw new Error("denied"); } });
      const one = wire({ keep: "board-1" });
      one.add({ kind: "set" });
      assert.equal(one.receive({ client: "me", seq: 1 }), "idle");
    });
  });

  test("no two messages are the same, and no two clients", () => {
    const message = { seq: 3 };
    const [one, two] = [numbered(message), numbered(message)];
    assert.notEqual(one.again, two.again);
    assert.deepEqual([one.seq, message], [3, { seq: 3 }]);
    assert.equal(new Set(Array.from({ length: 50 }, newClient)).size, 50);
    // As the server wants them.
    for (let step = 0; step < 50; step += 1) assert.match(newClient(), /^[0-9a-z]{20}$/);
    assert.match(new Wire(() => {}, { insists: false }).client, /^[0-9a-z]{20}$/);
  });

  test("the page is asked for the fourth time that the same is sent again, and not before", () => {
    const asked = [];
    globalThis.PopStateEvent = /** @type {any} */ (class { constructor(type) { this.type = type; } });
    globalThis.dispatchEvent = /** @type {any} */ ((event) => asked.push(event.type));
    const one = wire();
    one.add({});
    clock.tick(3 * LATE_MS);
    assert.deepEqual(asked, []);
    clock.tick(LATE_MS);
    assert.deepEqual(asked, ["popstate"]);
    clock.tick(2 * LATE_MS);
    one.add({}); // It is counted anew for what is new.
    clock.tick(3 * LATE_MS);
    assert.equal(asked.length, 1);
    clock.tick(5 * LATE_MS);
    assert.equal(asked.length, 3);
  });

  test("without a page nothing is asked for", () => {
    const one = wire();
    one.add({});
    clock.tick(5 * LATE_MS);
    assert.equal(sent.length, 6);
  });

  test("what is done at most once is sent again only with what is done next", () => {
    const listening = [];
    globalThis.addEventListener = /** @type {any} */ ((name) => listening.push(name));
    const one = wire({ insists: false });
    one.add({});
    clock.tick(10 * LATE_MS);
    one.add({});
    assert.deepEqual(numbers(), [[1], [1, 2]]);
    assert.equal(one.condition, "sending");
    assert.deepEqual(listening, []);
  });

  test("as soon as the phone is online again, what waits is sent, and nothing else", () => {
    const listeners = new Map();
    globalThis.addEventListener = /** @type {any} */ ((name, work) => listeners.set(name, work));
    globalThis.removeEventListener = /** @type {any} */ ((name, work) =>
      listeners.get(name) === work && listeners.delete(name));
    const one = wire();
    listeners.get("online")();
    assert.equal(sent.length, 0);
    one.add({});
    listeners.get("online")();
    assert.deepEqual(numbers(), [[1], [1]]);
    one.close();
    assert.equal(listeners.size, 0);
  });

  test("a page is left when all that was done on it is answered, and not before", () => {
    let left = 0;
    const leave = () => (left += 1);
    const [one, two] = [wire(), wire()];
    whenAnswered(leave);
    assert.equal(left, 1);
    one.add({});
    two.add({});
    whenAnswered(leave);
    one.receive({ client: "me", seq: 1 });
    assert.equal(left, 1);
    two.receive({ client: "me", seq: 1 });
    assert.equal(left, 2);
    clock.tick(2 * MAX_WAIT_MS);
    assert.equal(left, 2);
  });

  test("a part that goes away is not waited for", () => {
    let left = 0;
    const one = wire();
    one.add({});
    whenAnswered(() => (left += 1));
    one.close();
    assert.equal(left, 1);
    clock.tick(LATE_MS);
    assert.equal(sent.length, 1);
  });

  test("nobody waits for more than eight seconds, counted from the first wish; the last is granted", () => {
    const left = [];
    const one = wire({ insists: false });
    one.add({});
    whenAnswered(() => left.push("first"));
    clock.tick(5000);
    whenAnswered(() => left.push("second"));
    clock.tick(2999);
    assert.deepEqual(left, []);
    clock.tick(1);
    assert.deepEqual(left, ["second"]);
    whenAnswered(() => left.push("third"));
    clock.tick(7999);
    assert.equal(left.length, 1);
    clock.tick(1);
    assert.deepEqual(left, ["second", "third"]);
  });
});
