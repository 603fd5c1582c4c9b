import assert from "node:assert/strict";
import { test } from "node:test";

import { Insistence, numbered } from "../../../../../companion/web/board/static/again.mjs";

test("no two messages are the same", () => {
  const message = { seq: 3 };
  assert.notDeepEqual(numbered(message), numbered(message));
  assert.equal(numbered(message).seq, 3);
});

test("the page is asked for the fourth time that the same is sent again, and not before", () => {
  let asked = 0;
  globalThis.PopStateEvent = class {};
  globalThis.dispatchEvent = () => {
    asked += 1;
    return true;
  };
  const insistence = new Insistence();
  for (let times = 0; times < 4; times += 1) insistence.sent(1);
  assert.equal(asked, 0);
  insistence.sent(1);
  assert.equal(asked, 1);
  insistence.sent(2);
  for (let times = 0; times < 3; times += 1) insistence.sent(2);
  assert.equal(asked, 1);
  for (let times = 0; times < 5; times += 1) insistence.sent(2);
  assert.equal(asked, 3);
});
