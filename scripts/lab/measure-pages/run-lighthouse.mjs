import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** Lighthouse is not a dependency of this repository: its own are larger than all others together. */
const VERSION = "13.5.0";
const CATEGORIES = ["performance", "accessibility", "best-practices"];
const MIN_PERFORMANCE = 95;

/**
 * Runs Lighthouse's desktop preset on pages. `folder` is a folder with Lighthouse in its node_modules; without one, it is
 * installed into a temporary folder. Returns the scores from 0 to 100, and what cost points, per page.
 */
export async function runLighthouse({ folder, executablePath, baseUrl, cookie, pages }) {
  const installed = folder ?? install();
  try {
    const entry = path.join(path.resolve(installed), "node_modules/lighthouse/core/index.js");
    const { default: lighthouse, desktopConfig } = await import(pathToFileURL(entry));
    const results = [];
    for (const { name, url } of pages) {
      results.push({
        name,
        ...(await audit({ lighthouse, desktopConfig, executablePath }, `${baseUrl}${url}`, cookie)),
      });
    }
    return results;
  } finally {
    if (folder === undefined) rmSync(installed, { recursive: true, force: true });
  }
}

/** Whether the scores reach the targets: 100 for accessibility and best practices, 95 for performance. */
export function isWellScored({ performance, accessibility, bestPractices }) {
  return performance >= MIN_PERFORMANCE && accessibility === 100 && bestPractices === 100;
}

function install() {
  const folder = mkdtempSync(path.join(tmpdir(), "trunkline-lighthouse-"));
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", `lighthouse@${VERSION}`];
  const { status, stderr } = spawnSync("npm", args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`Lighthouse could not be installed: ${stderr}`);
  return folder;
}

async function audit({ lighthouse, desktopConfig, executablePath }, url, cookie) {
  const { chromium } = await import("@playwright/test");
  const port = 9222 + (process.pid % 1000);
  const browser = await chromium.launch({
    executablePath,
    args: [`--remote-debugging-port=${port}`, "--no-sandbox"],
  });
  try {
    const { lhr } = await lighthouse(
      url,
      { port, onlyCategories: CATEGORIES, extraHeaders: { cookie }, logLevel: "error" },
      desktopConfig,
    );
    const score = (id) => Math.round(100 * lhr.categories[id].score);
    return {
      performance: score("performance"),
      accessibility: score("accessibility"),
      bestPractices: score("best-practices"),
      costs: costsOf(lhr),
    };
  } finally {
    await browser.close();
  }
}

/** The audits that cost points, with what they found. */
function costsOf({ audits, categories }) {
  const weighted = Object.values(categories).flatMap(({ auditRefs }) =>
    auditRefs.filter(({ weight }) => weight > 0).map(({ id }) => id),
  );
  return [...new Set(weighted)]
    .map((id) => audits[id])
    .filter(({ score }) => score !== null && score < 0.9)
    .map(({ id, displayValue }) => (displayValue ? `${id}: ${displayValue}` : id));
}
