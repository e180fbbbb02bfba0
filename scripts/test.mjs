// npm test: runs the checks, the unit and API tests, the scenarios, simulations with faults, the browser tests against
// production servers and the tests of the npm package, and counts all of them. npm run test:quick skips the last three. npm run
// test:long also runs the tests of killed and restarted processes that take minutes, longer simulations, and tests of other
// implementations that are installed.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildIfStale } from "./build.mjs";
import { prepareChecks, runChecks } from "./check.mjs";
import { ensureBrowser } from "./find-browser.mjs";
import { findHeavyPages } from "./page-weight.mjs";
import { testPackage } from "./test-package.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const RESULTS = path.join(root, "test-results");
const isQuick = process.argv.includes("--quick");
const isLong = process.argv.includes("--long");
/** More of each test that can be made longer, with time for it. */
const LONG = { LONG_TESTS: "1", UNTIL_LIMIT_MS: "500000" };
/** The seeds that `npm run simulate` runs, and the minutes and steps of each history. */
const SIMULATIONS = isLong
  ? { seeds: [1, 2, 3, 4, 5, 6, 7, 8], minutes: 2, steps: 1500 }
  : { seeds: [1, 2, 3], minutes: 0.4, steps: 300 };

rmSync(RESULTS, { recursive: true, force: true });
mkdirSync(RESULTS, { recursive: true });

const total = { passed: 0, failed: 0, skipped: 0 };
/** Name and message of each failure, repeated at the end: the output of a run is long, and often only its end is kept. */
const failures = [];
await prepareChecks();
await runStage("checks", async () => {
  const { passed, failed } = await runChecks({ isPrepared: true });
  failures.push(...failed.map((name) => `check: ${name}`));
  return { passed: passed.length, failed: failed.length };
});
await runStage("unit and API tests", () => runVitest("vitest"));
await runStage("scenarios", () => runVitest("scenarios", ["--config", "e2e/scenarios.config.ts"]));
if (!isQuick) {
  await runStage("simulations", runSimulations);
  await runStage("page weight", checkPageWeight);
  await runStage("browser tests", runPlaywright);
  await runStage("npm package", runPackage);
}

for (const failure of failures) process.stdout.write(`\nFailed: ${failure}\n`);
process.stdout.write(`\n${total.skipped} skipped\n${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;

async function runStage(title, run) {
  const startedMs = performance.now();
  const { passed, failed, skipped = 0 } = await run();
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  process.stdout.write(
    `\n== ${title}: ${passed} passed, ${failed} failed, ${skipped} skipped, ${seconds} s\n`,
  );
}

async function runVitest(name, more = []) {
  const report = path.join(RESULTS, `${name}.json`);
  const args = ["run", ...more, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const status = await runTool("vitest", args, isLong ? LONG : {});
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, numFailedTestSuites, numPendingTests, testResults } = JSON.parse(
    readFileSync(report, "utf8"),
  );
  for (const file of testResults.filter((each) => each.status === "failed")) {
    const failedTests = file.assertionResults.filter((each) => each.status === "failed");
    const name = path.relative(root, file.name);
    if (failedTests.length === 0) failures.push(`${name}: ${file.message}`);
    for (const { fullName, failureMessages } of failedTests) {
      failures.push(`${name} > ${fullName}\n${failureMessages.join("\n")}`);
    }
  }
  const failed = numFailedTests > 0 ? numFailedTests : numFailedTestSuites;
  return {
    passed: numPassedTests,
    failed: status === 0 ? failed : Math.max(failed, 1),
    skipped: numPendingTests,
  };
}

/** Runs a world with faults for each seed, and counts each as a test. */
async function runSimulations() {
  const counts = { passed: 0, failed: 0 };
  for (const seed of SIMULATIONS.seeds) {
    const { minutes, steps } = SIMULATIONS;
    // Making a failing seed shorter takes minutes: run it by itself for that.
    const args = ["--seed", seed, "--minutes", minutes, "--steps", steps, "--shrink", 0].map(String);
    const status = await runProgram(process.execPath, ["scripts/lab/simulate.mjs", ...args]);
    counts[status === 0 ? "passed" : "failed"]++;
    if (status !== 0) failures.push(`simulation: npm run simulate -- ${args.join(" ")}`);
  }
  return counts;
}

/** Installs the npm package in a new project and runs its example tests. */
async function runPackage() {
  try {
    const steps = await testPackage();
    const failed = steps.filter((step) => !step.passed);
    failures.push(...failed.map(({ name }) => `npm package: ${name}`));
    return { passed: steps.length - failed.length, failed: failed.length };
  } catch (error) {
    failures.push(`npm package: ${error.message}`);
    return { passed: 0, failed: 1 };
  }
}

/** Fails if the first load of a page takes too much script. */
async function checkPageWeight() {
  const heavy = await findHeavyPages();
  failures.push(...heavy.map((sentence) => `page weight: ${sentence}`));
  return { passed: heavy.length === 0 ? 1 : 0, failed: heavy.length };
}

async function runPlaywright() {
  if (!(await ensureBrowser())) {
    process.stdout.write(
      "No browser: install Chromium, or run `npx playwright install chromium`, and test again.\n",
    );
    return { passed: 0, failed: 1 };
  }
  try {
    await buildIfStale();
  } catch (error) {
    process.stdout.write(`${error.message}\n`);
    return { passed: 0, failed: 1 };
  }
  const report = path.join(RESULTS, "playwright.json");
  const status = await runTool("playwright", ["test"], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    ...(isLong && LONG),
  });
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const { stats, errors, suites } = JSON.parse(readFileSync(report, "utf8"));
  failures.push(...errors.map((error) => error.message), ...failedSpecs(suites));
  const failed = stats.unexpected + errors.length;
  return {
    passed: stats.expected,
    failed: status === 0 ? failed : Math.max(failed, 1),
    skipped: stats.skipped,
  };
}

/** Title and errors of each failed browser test; a describe block is a suite within a suite. */
function failedSpecs(suites) {
  return suites.flatMap(({ specs = [], suites: inner = [] }) => [
    ...specs
      .filter((spec) => !spec.ok)
      .map(({ file, line, title, tests }) => {
        const errors = tests.flatMap((test) => test.results.flatMap((result) => result.errors));
        return `${file}:${line} ${title}\n${errors.map((error) => error.message).join("\n")}`;
      }),
    ...failedSpecs(inner),
  ]);
}

function runTool(command, args, environment = {}) {
  return runProgram(path.join(root, "node_modules", ".bin", command), args, environment);
}

function runProgram(program, args, environment = {}) {
  const child = spawn(program, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...environment },
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
}
