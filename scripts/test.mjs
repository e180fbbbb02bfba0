// npm test: checks, then unit and API tests, then the browser tests against a production server. Counts them all.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildIfStale } from "./build.mjs";
import { runChecks } from "./check.mjs";
import { ensureBrowser } from "./find-browser.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const RESULTS = path.join(root, "test-results");

rmSync(RESULTS, { recursive: true, force: true });
mkdirSync(RESULTS, { recursive: true });

const total = { passed: 0, failed: 0 };

const checks = await runChecks();
count("checks", { passed: checks.passed.length, failed: checks.failed.length });
count("unit and API tests", runVitest());
count("browser tests", await runPlaywright());

process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;

function count(stage, { passed, failed }) {
  total.passed += passed;
  total.failed += failed;
  process.stdout.write(`\n== ${stage}: ${passed} passed, ${failed} failed\n`);
}

function runVitest() {
  const report = path.join(RESULTS, "vitest.json");
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const status = runTool("vitest", args);
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(report, "utf8"));
  const failed = numFailedTests > 0 ? numFailedTests : numFailedTestSuites;
  return { passed: numPassedTests, failed: status === 0 ? failed : Math.max(failed, 1) };
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
  const status = runTool("playwright", ["test"], { PLAYWRIGHT_JSON_OUTPUT_FILE: report });
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const { stats, errors } = JSON.parse(readFileSync(report, "utf8"));
  const failed = stats.unexpected + errors.length;
  if (stats.flaky > 0) process.stdout.write(`\n${stats.flaky} passed only at the second try\n`);
  return { passed: stats.expected + stats.flaky, failed: status === 0 ? failed : Math.max(failed, 1) };
}

function runTool(command, args, environment = {}) {
  const program = path.join(root, "node_modules", ".bin", command);
  return spawnSync(program, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...environment } })
    .status;
}
