// @ts-check
/** Planes seen by a camera, squares as drawings, and all that stands round a board. */

import assert from "node:assert/strict";

import fc from "fast-check";

import { boardOf, WORDS } from "./boards.mjs";
import { approved } from "./approved.mjs";
import * as drawing from "../../companion/web/kingdomino/static/drawing.mjs";
import { CHARACTERS } from "../../companion/web/kingdomino/static/kingdom.mjs";
import {
  boxAround, cropTransform, homographyOf, inverse, isConvex, outlinesOf, project,
} from "../../companion/web/kingdomino/static/geometry.mjs";
import { quoted, say, sayCount } from "../../companion/web/shell/static/markup.mjs";

const { CROWNS_TOP, chip, squareName, tile } = drawing;

suite("geometry", () => {
const CORNERS = [[100, 50], [900, 120], [870, 700], [60, 640]];
const near = (a, b) => a.forEach((value, index) => assert.ok(Math.abs(value - b[index]) < 1e-6));

test("a homography takes corners to corners and back", () => {
  const h = homographyOf(5, 4, CORNERS);
  const lattice = [[0, 0], [5, 0], [5, 4], [0, 4]];
  lattice.forEach((point, index) => near(project(h, point), CORNERS[index]));
  for (const point of [[2.5, 1.5], [0.1, 3.9]]) near(project(inverse(h), project(h, point)), point);
});

test("only convex corners clockwise are a frame", () => {
  assert.equal(isConvex(CORNERS), true);
  assert.equal(isConvex([...CORNERS].reverse()), false);
  assert.equal(isConvex([CORNERS[0], CORNERS[2], CORNERS[1], CORNERS[3]]), false);
  assert.equal(isConvex([[0, 0], [10, 0], [20, 0], [0, 10]]), false);
});

test("outlines go round a group once, holes too", () => {
  assert.equal(outlinesOf([[0, 0]])[0].length, 4);
  assert.equal(outlinesOf([[0, 0], [0, 1]]).length, 1);
  const ring = [[0, 0], [0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1], [2, 2]];
  assert.equal(outlinesOf(ring).length, 2);
  assert.equal(outlinesOf([[0, 0], [1, 1]]).flat().length, 8);
});

test("a crop takes the corners of a square to its own", () => {
  const [a, b, c, d, e, f] = cropTransform([[10, 20], [30, 24], [6, 40]], 100);
  const take = ([x, y]) => [a * x + c * y + e, b * x + d * y + f];
  near(take([10, 20]), [0, 0]);
  near(take([30, 24]), [100, 0]);
  near(take([6, 40]), [0, 100]);
});

test("a box goes round its points", () => {
  assert.deepEqual(boxAround([[3, 4], [1, 9]]), { x: 1, y: 4, width: 2, height: 5 });
});

test("outlines are closed, go round what belongs together, clockwise, each edge once", () => {
  const groups = fc.uniqueArray(fc.tuple(fc.nat(4), fc.nat(4)), { selector: String, maxLength: 14 });
  fc.assert(fc.property(groups, (places) => {
    const loops = outlinesOf(/** @type {any} */ (places));
    const inside = new Set(places.map(String));
    const edges = new Set();
    let area = 0;
    for (const loop of loops) loop.forEach(([x, y], k) => {
      const [a, b] = loop[(k + 1) % loop.length];
      assert.equal(Math.abs(a - x) + Math.abs(b - y), 1);
      area += (x * b - a * y) / 2;
      const key = `${[x, y]} ${[a, b]}`;
      assert.equal(edges.has(key), false);
      edges.add(key);
    });
    assert.equal(Math.round(area), places.length);
    const wanted = places.reduce((sum, [r, c]) => sum + [[r - 1, c], [r + 1, c], [r, c - 1], [r, c + 1]]
      .filter((each) => !inside.has(String(each))).length, 0);
    assert.equal(edges.size, wanted);
  }));
});

test("a homography takes lines to lines and its inverse takes them back, up to a factor", () => {
  const h = homographyOf(3, 7, /** @type {any} */ (CORNERS));
  const [a, b, c] = [[0, 0], [1.5, 3.5], [3, 7]].map((point) => project(h, /** @type {any} */ (point)));
  const cross = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  assert.ok(Math.abs(cross) < 1e-6);
  const product = (m, n) => [0, 3, 6].flatMap((r) => [0, 1, 2].map((k) => m[r] * n[k] + m[r + 1] * n[k + 3] + m[r + 2] * n[k + 6]));
  const one = product(h, inverse(h));
  one.forEach((value, k) => assert.ok(Math.abs(value / one[0] - (k % 4 ? 0 : 1)) < 1e-9));
  const other = [2, 3, 5, 7, 11, 13, 17, 19, 24];
  const unit = product(other, inverse(other));
  unit.forEach((value, k) => assert.ok(Math.abs(value - (k % 4 ? 0 : unit[0])) < 1e-9));
});

test("a corner that is hardly bent makes no frame", () => {
  const at = (sine) => [[0, 0], [10, 0], [10 + 10 * Math.sqrt(1 - sine * sine), 10 * sine], [0, 100]];
  assert.equal(isConvex(/** @type {any} */ (at(0.06))), true);
  assert.equal(isConvex(/** @type {any} */ (at(0.04))), false);
});
});

suite("drawing", () => {
test("a tile shows all its crowns, those under giants apart", () => {
  assert.equal(tile("m3!").match(/#crown/g)?.length, 2);
  assert.equal(tile("m3!").match(/#covered/g)?.length, 1);
  assert.ok(tile("w3").includes(`y="${CROWNS_TOP}"`));
  assert.equal(chip("m3!").match(/#crown/g)?.length, 2);
  assert.equal(chip("."), "");
});

test("words are filled in, and no letter of the notation shows", () => {
  const words = {
    "terrain.m": "Mine", "crowns.one": "1 Krone", "crowns.several": "{count} Kronen",
    "giants.one": "1 Gigant", "square.castle": "Schloss", "square.empty": "Leer",
    "square.foreign": "Anderes",
  };
  assert.equal(squareName(words, "m3!"), "Mine, 3 Kronen, 1 Gigant");
  assert.equal(squareName(words, "c"), "Schloss");
  assert.equal(squareName(words, "?"), "Anderes");
  assert.equal(sayCount(words, "crowns", 1), "1 Krone");
  assert.equal(say({ x: "{a} {b}" }, "x", { a: 1 }), "1 ");
});

test("each piece of The Court has a drawing and a name of its own", () => {
  const kinds = ["f*", "f+1", "f+2", ...CHARACTERS.map((each) => `f:${each}`)];
  assert.equal(new Set(kinds.map((cell) => tile(cell))).size, kinds.length);
  assert.equal(new Set([tile("w*"), tile("f*"), tile("l*"), tile("g*")]).size, 4);
  assert.equal(tile("f+2").match(/#crown/g)?.length, 2);
  const words = {
    "terrain.f": "Wald", "token.f": "Holz", "character.king": "König",
    "building.several": "Gebäude mit {count} Kronen", "by_hand.several": "{count} Punkte von Hand",
  };
  assert.equal(squareName(words, "f*"), "Wald, Holz");
  assert.equal(squareName(words, "f+2"), "Wald, Gebäude mit 2 Kronen");
  assert.equal(squareName(words, "f:king"), "Wald, König");
  assert.equal(squareName(words, "f:king:7"), "Wald, König, 7 Punkte von Hand");
});

test("names can't bring markup along", () => {
  assert.equal(/[<>"]/.test(quoted('<img src="x">&')), false);
});

test("drawings are those that were looked at", () => {
  for (const name of ["undo", "redo", "brush", "photo", "plan", "crops", "more", "close", "check", "doubt", "next", "back",
    "plus", "minus", "turn", "up", "right", "down", "left", "corners", "clear", "fit", "waiting"])
    approved(`sign ${name}`, drawing.sign(name));
  for (const cell of [".", "c", "w", "f1", "l2", "g3!", "m3!!!", "w*", "s+2", "f:king:7", "?"]) {
    approved(`tile ${cell}`, tile(cell));
    approved(`chip ${cell}`, chip(cell));
    approved(`chip ${cell} doubtful with points`, chip(cell, { points: 12, doubtful: true }));
    approved(`name ${cell}`, squareName(WORDS, cell));
  }
  approved("picture", drawing.picture("w1"));
  approved("crop", drawing.crop({ url: 'a".jpg', width: 1600, height: 1200 }, [[10, 20], [110, 20], [110, 120], [10, 120]]));
});
});

suite("round a board", () => {
  const KINGDOM = "w2 w c/f3! l2 ./m g* s1";
  const SCENES = new Set(["plan", "plan lit", "photo doubt", "crops", "corners", "slanted"]);
  const parts = (name, { find, board }) => {
    approved(`${name}: header`, find("header").innerHTML);
    approved(`${name}: bar`, find(".bar").innerHTML);
    // What is the same on all sheets is looked at once.
    if (!["square photo", "paint"].includes(name)) find(".panel .palette")?.replaceChildren();
    approved(`${name}: panel`, find(".panel").innerHTML);
    if (SCENES.has(name)) approved(`${name}: scene`, board.stage.svg.outerHTML);
  };
  const shown = async (name, more, ...does) => {
    const made = await boardOf(KINGDOM, more);
    for (const [action, value] of does) made.press(action, value);
    parts(name, made);
    made.board.destroy();
  };
  const doubts = [[0, 1], [2, 2]];

  test("a plan at rest, with what its points come from", async () => {
    const bonuses = [{ name: "Middle <Kingdom>", points: 10, squares: [[0, 2]] }];
    await shown("plan", { title: 'Anna "A"', colour: "blue", notice: "<b>", score: { points: 22, territories: [], bonuses } });
    await shown("plan lit", { score: { points: 22, territories: [], bonuses } }, ["light", "t1"]);
    await shown("plan bonus lit", { score: { points: 1, territories: [], bonuses } }, ["light", "b0"]);
  });
  test("a plan without points", async () => {
    const made = await boardOf(". c");
    parts("nothing", made);
    made.board.destroy();
  });
  test("a photo with doubts, and one of them", async () => {
    await shown("photo", { doubts });
    await shown("photo doubt", { doubts }, ["doubts"]);
    await shown("photo one doubt", { doubts: [[0, 1]] }, ["doubts"]);
    await shown("plan doubt", { doubts }, ["view", "plan"], ["doubts"]);
  });
  test("a reason for a doubt is said", async () => {
    const made = await boardOf(KINGDOM, { doubts });
    made.board.dossier.reading.rows[0][1].why = "Too <dark>.";
    made.press("doubts");
    parts("doubt with a reason", made);
    made.press("anything");
    parts("doubt as a square", made);
    made.press("confirm");
    made.board.select([0, 1]);
    assert.equal(made.find(".panel .why"), null);
    made.board.destroy();
  });
  test("a chosen square, on the photo, on the plan, of The Court", async () => {
    for (const [name, more, place] of /** @type {[string, object, [number, number]][]} */ ([
      ["square photo", { doubts }, [1, 0]], ["square doubtful", { doubts }, [0, 1]], ["square plan", {}, [1, 1]],
      ["square castle", {}, [0, 2]], ["square court", { court: true }, [0, 1]], ["square token", {}, [2, 1]],
    ])) {
      const made = await boardOf(KINGDOM, more);
      made.board.select(place);
      parts(name, made);
      made.board.destroy();
    }
  });
  test("painting, size, crops, corners and waiting", async () => {
    await shown("paint", { court: true }, ["paint"]);
    await shown("size", { doubts }, ["size"]);
    await shown("size plan", {}, ["size"]);
    await shown("crops", { doubts }, ["size"], ["crops"]);
    await shown("corners", { doubts }, ["size"], ["corners"]);
    await shown("waiting", { doubts }, ["size"], ["corners"], ["read-corners"]);
    const made = await boardOf(KINGDOM, { doubts });
    made.press("size");
    made.press("corners");
    made.board.corners.put(0, [1500, 1100]);
    made.board.render();
    parts("corners wrong", made);
    made.board.destroy();
  });
  test("boards of one square and of the largest size", async () => {
    for (const [name, kingdom] of [["one", "w"], ["largest", Array(9).fill(Array(9).fill("w").join(" ")).join("/")]]) {
      const made = await boardOf(kingdom);
      made.press("size");
      approved(`size ${name}`, made.find(".panel").innerHTML);
      made.board.destroy();
    }
  });
  test("a slanted photo, a turned board", async () => {
    const made = await boardOf(KINGDOM, { doubts });
    Object.assign(made.board.dossier.reading, { homography: [150, 20, 300, -10, 140, 200, 0.0002, 0.0001, 1] });
    made.press("size");
    made.press("turn");
    made.press("close");
    parts("slanted", made);
    made.board.destroy();
  });
  test("zooming has its buttons; shell and stage are those that were looked at", async () => {
    const made = await boardOf(". .");
    approved("zooms", made.find(".zooms").innerHTML);
    made.find(".bar").replaceChildren();
    made.find(".panel").replaceChildren();
    approved("shell", made.root.innerHTML);
    made.board.destroy();
  });
});
