// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import {
  LATE_MS,
  MAX_DONE,
  Outbox,
  numbered,
  whenAnswered,
} from "../../../../../companion/web/shell/static/wire.mjs";

const boxes = [];

function outbox() {
  const sent = [];
  const conditions = [];
  const box = new Outbox("me", (seq, done) => sent.push([seq, done.length]), (now) => conditions.push(now));
  boxes.push(box);
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

test("no two messages are the same", () => {
  const message = { seq: 3 };
  assert.notDeepEqual(numbered(message), numbered(message));
  assert.equal(numbered(message).seq, 3);
});

test("the page is asked for the fourth time that the same is sent again, and not before", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let asked = 0;
  globalThis.PopStateEvent = class {};
  globalThis.dispatchEvent = () => {
    asked += 1;
    return true;
  };
  const { box } = outbox();
  box.add({ kind: "set" });
  for (let times = 0; times < 3; times += 1) box.resend();
  assert.equal(asked, 0);
  box.resend();
  assert.equal(asked, 1);
  box.add({ kind: "set" });
  for (let times = 0; times < 3; times += 1) box.resend();
  assert.equal(asked, 1);
  for (let times = 0; times < 5; times += 1) box.resend();
  assert.equal(asked, 3);
});

test("what is done at most once is sent again only with what is done next", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const sent = [];
  const box = new Outbox("me", (seq, done) => sent.push(done.length), () => {}, false);
  box.add({ do: "add" });
  t.mock.timers.tick(10 * LATE_MS);
  box.add({ do: "add" });
  assert.deepEqual(sent, [1, 2]);
  box.close();
});

test("a page is left when all that was done on it is answered, and not before", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  for (const each of boxes.splice(0)) each.close();
  let left = 0;
  const leave = () => (left += 1);
  const [one, two] = [outbox().box, outbox().box];
  one.add({ kind: "set" });
  two.add({ kind: "set" });
  whenAnswered(leave);
  one.receive({ client: "me", seq: 1 });
  assert.equal(left, 0);
  two.close();
  assert.equal(left, 1);
  whenAnswered(leave);
  assert.equal(left, 2);
  one.add({ kind: "set" });
  whenAnswered(leave);
  t.mock.timers.tick(8000);
  assert.equal(left, 3);
  one.close();
});
