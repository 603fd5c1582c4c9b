// @ts-check
/** Which sheet is under the board right now. */

import { offersAt, readAt } from "./doubts.mjs";
import {
  cornersSheet, doubtSheet, paintSheet, pointsSheet, sizeSheet, squareSheet,
} from "./panels.mjs";

/**
 * @typedef {import("./board.mjs").Board} Board
 */

/**
 * @param {Board} board
 * @param {import("./scene.mjs").Shown} shown
 */
export function sheetOf(board, shown) {
  const { words, snapshot, dossier } = board;
  const [rows, columns] = [snapshot.rows.length, snapshot.rows[0].length];
  if (board.mode === "paint") return paintSheet(words, board.brush);
  if (board.mode === "size") {
    return sizeSheet({ words, rows, columns, photo: dossier.photo !== null, crops: board.crops });
  }
  if (board.corners) {
    return cornersSheet({ words, rows: board.corners.rows, columns: board.corners.columns,
      good: board.corners.good, waiting: board.waiting });
  }
  const place = board.selected;
  if (!place) {
    return pointsSheet({ words, territories: shown.territories,
      bonuses: board.state.score?.bonuses ?? [], lit: board.lit });
  }
  const index = shown.doubts.findIndex((each) => String(each) === String(place));
  const known = dossier.photo && dossier.reading;
  const chosen = {
    words, value: board.cell(place), doubtful: index >= 0,
    offers: offersAt(snapshot, dossier.reading, place),
    why: index >= 0 ? readAt(snapshot, dossier.reading, place)?.why ?? "" : "",
    step: { index: index + 1, count: shown.doubts.length },
    photo: dossier.photo,
    corners: known ? board.stage.scene.photoCorners(shown, place) : null,
  };
  return board.mode === "doubts" ? doubtSheet(chosen) : squareSheet(chosen);
}
