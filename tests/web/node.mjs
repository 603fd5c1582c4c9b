// @ts-check
/** What every browser has and node 18 has not. */

import { webcrypto } from "node:crypto";

globalThis.crypto ??= /** @type {any} */ (webcrypto);
