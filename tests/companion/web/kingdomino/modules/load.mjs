// @ts-check
/** Loads a module of the board from the folder that the environment names. */

import { pathToFileURL } from "node:url";

/** @param {string} name @returns {Promise<any>} */
export function load(name) {
  return import(`${pathToFileURL(String(process.env.WEB)).href}/kingdomino/static/${name}.mjs`);
}
