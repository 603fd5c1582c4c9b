// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { load } from "./load.mjs";

const { changeOf, sameSnapshot, snapshotOf } = await load("messages");

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
