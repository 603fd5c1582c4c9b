// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { load } from "./load.mjs";

const { LATE_MS, MAX_DONE, Outbox } = await load("sync");
const { changeOf, sameSnapshot, snapshotOf } = await load("messages");

function outbox() {
  const sent = [];
  const conditions = [];
  const box = new Outbox("me", (seq, done) => sent.push([seq, done.length]), (now) => conditions.push(now));
  return { box, sent, conditions };
}

test("changes are numbered, and each carries all that is not answered", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { box, sent } = outbox();
  box.add({ kind: "set" });
  box.add({ kind: "set" });
  box.receive({ client: "me", seq: 1 });
  assert.equal(box.idle, false);
  box.add({ kind: "undo" });
  assert.deepEqual(sent, [[1, 1], [2, 2], [3, 2]]);
  box.receive({ client: "me", seq: 3 });
  assert.equal(box.idle, true);
});

test("answers to others, older ones and ones from the future change nothing", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { box } = outbox();
  box.add({ kind: "set" });
  box.add({ kind: "set" });
  box.receive({ client: "you", seq: 2 });
  box.receive({ client: "me", seq: 3 });
  box.receive(null);
  assert.equal(box.answered, 0);
  box.receive({ client: "me", seq: 2 });
  box.receive({ client: "me", seq: 1 });
  assert.equal(box.answered, 2);
});

test("what is not answered is sent again until it is", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { box, sent, conditions } = outbox();
  box.add({ kind: "set" });
  t.mock.timers.tick(LATE_MS);
  t.mock.timers.tick(LATE_MS);
  assert.deepEqual(sent, [[1, 1], [1, 1], [1, 1]]);
  assert.deepEqual(conditions, ["sending", "late"]);
  box.receive({ client: "me", seq: 1 });
  t.mock.timers.tick(10 * LATE_MS);
  assert.equal(sent.length, 3);
  assert.deepEqual(conditions, ["sending", "late", "calm"]);
});

test("hours without a connection don't make messages without end", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { box, sent } = outbox();
  for (let step = 0; step < MAX_DONE + 50; step++) box.add({ kind: "set" });
  assert.deepEqual(sent.at(-1), [MAX_DONE + 50, MAX_DONE]);
});

test("a state becomes a snapshot and a change the same kingdom", () => {
  const state = { kingdom: "w1 ./c f", settled: "1001", frame: [1, 2, -1] };
  const snapshot = snapshotOf(state);
  assert.deepEqual(snapshot.settled, [[true, false], [false, true]]);
  const change = changeOf("me", 3, [], 7, { id: "d" }, snapshot, null);
  assert.equal(change.kingdom, state.kingdom);
  assert.equal(change.settled, state.settled);
  assert.deepEqual(change.frame, state.frame);
  assert.equal(sameSnapshot(snapshot, snapshotOf(change)), true);
  assert.equal(sameSnapshot(snapshot, snapshotOf({ ...state, settled: "0001" })), false);
});
