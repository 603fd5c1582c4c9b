// @ts-check
/** `npx stryker run --mutate companion/web/shell/static/wire.mjs`; `benchmarks.mutation_scripts` asks for all. */

/** @type {import("@stryker-mutator/api/core").PartialStrykerOptions} */
export default {
  mutate: ["companion/web/*/static/*.mjs"],
  testRunner: "mocha",
  plugins: ["@stryker-mutator/mocha-runner"],
  coverageAnalysis: "perTest",
  concurrency: 1,
  disableTypeChecks: false,
  ignorePatterns: [
    "/.venv", "/benchmarks", "/deploy", "/docs", "/models", "/sample_images", "/scorer", "/training",
    "/vision", "/companion/**/*.py", "/tests/**/*.py", "/tests/**/*.jpg", "/tests/browser",
    "/companion/games", "/companion/store", "/companion/languages",
  ],
  reporters: ["json"],
  jsonReporter: { fileName: "reports/mutation.json" },
  tempDirName: ".stryker-tmp",
  cleanTempDir: "always",
  timeoutMS: 4000,
  allowEmpty: true,
  checkers: [],
};
