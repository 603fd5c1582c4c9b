// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { load } from "./load.mjs";

const { CHARACTERS } = await load("kingdom");
const { CROWNS_TOP, CROWN_FILL, CROWN_LINE, TERRAIN_ART, chip, squareName, tile } =
  await load("drawing");
const { quoted, say, sayCount } = await load("../../shell/static/markup");

// Full dichromacy after Machado, Oliveira and Fernandes (2009), on linear RGB.
const SIGHT = {
  all: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protan: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deutan: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritan: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

function linear(colour) {
  return [1, 3, 5].map((at) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
}

function luminance(colour, sight) {
  const rgb = linear(colour);
  const [r, g, b] = [0, 3, 6].map((row) =>
    Math.min(1, Math.max(0, sight[row] * rgb[0] + sight[row + 1] * rgb[1] + sight[row + 2] * rgb[2])),
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b, sight) {
  const [dark, light] = [luminance(a, sight), luminance(b, sight)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

test("the shapes of terrains stand out for every kind of sight", () => {
  for (const [name, sight] of Object.entries(SIGHT)) {
    for (const [letter, { ground, ink }] of Object.entries(TERRAIN_ART)) {
      assert.ok(contrast(ground, ink, sight) >= 3, `${letter} ${name}`);
    }
  }
});

test("crowns stand out on every terrain by their fill or their line", () => {
  for (const [letter, { ground }] of Object.entries(TERRAIN_ART)) {
    for (const [name, sight] of Object.entries(SIGHT)) {
      const best = Math.max(contrast(CROWN_FILL, ground, sight), contrast(CROWN_LINE, ground, sight));
      assert.ok(best >= 3, `${letter} ${name}`);
    }
  }
});

test("every terrain has a shape of its own, above the crowns", () => {
  const shapes = Object.values(TERRAIN_ART).map((art) => art.shapes);
  assert.equal(new Set(shapes).size, 6);
  assert.ok(tile("w3").includes(`y="${CROWNS_TOP}"`));
});

test("a tile shows all its crowns, those under giants apart", () => {
  assert.equal(tile("m3!").match(/#crown/g)?.length, 2);
  assert.equal(tile("m3!").match(/#covered/g)?.length, 1);
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
