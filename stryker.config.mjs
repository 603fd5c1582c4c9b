// @ts-check
/** Small changes of the scripts; `python -m benchmarks.mutation_scripts` asks for one after the other. */

/** @type {import("@stryker-mutator/api/core").PartialStrykerOptions} */
export default {
  mutate: ["companion/web/*/static/*.mjs"],
  testRunner: "mocha",
  // Tests of other scripts reach this one too; without them less is noticed, and much sooner.
  mochaOptions: process.env.SPECS ? { spec: process.env.SPECS.split(" ") } : {},
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
