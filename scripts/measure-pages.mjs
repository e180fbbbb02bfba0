// npm run measure:pages: measures every page of the dashboard on a temporary instance with demo data, or on a running
// one (`--url`, with the data directory of its credentials in `--data`). Prints a Markdown table of the script of the first
// load, the largest contentful paint and the layout shift with the desktop throttling of Lighthouse, and the response
// time. Fails if a page loads more script than the limit.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { buildIfStale } from "./build.mjs";
import { ensureBrowser, findBrowser } from "./find-browser.mjs";
import { startServer } from "./instance/start-server.mjs";
import { WITHOUT_LIMITS } from "./instance/without-limits.mjs";
import { fillChats, fillDemo, openDemo } from "./screenshot/fill-demo.mjs";
import { listPages } from "./screenshot/list-pages.mjs";
import { readFirstRun, signIn } from "./screenshot/sign-in.mjs";

const MAX_SCRIPT_KB = 220;
const RESPONSES = 20;
/** Lighthouse's desktop preset: 10 Mbit/s, 40 ms, no slower processor. */
const DESKTOP = { offline: false, latency: 40, downloadThroughput: 1_310_720, uploadThroughput: 1_310_720 };
const VIEWPORT = { width: 1350, height: 940 };
const SETTLE_MS = 1000;

const { values } = parseArgs({
  options: { url: { type: "string" }, data: { type: "string" }, only: { type: "string", default: "" } },
});

if (!(await ensureBrowser())) throw new Error("no browser found: install Chromium");
const { chromium } = await import("@playwright/test");
const browser = await chromium.launch(findBrowser());
try {
  process.exitCode = values.url === undefined ? await measureDemo() : await measureRunning(values.url);
} finally {
  await browser.close();
}

async function measureDemo() {
  await buildIfStale();
  const dataDir = mkdtempSync(path.join(tmpdir(), "trunkline-pages-"));
  const server = await startServer({ DATA_DIR: dataDir, DATABASE_URL: "", ...WITHOUT_LIMITS });
  try {
    return await measureAll(server.baseUrl, readFirstRun(dataDir));
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function measureRunning(url) {
  if (values.data === undefined) throw new Error("--url needs --data, the data directory of the instance");
  return measureAll(url, readFirstRun(values.data));
}

async function measureAll(baseUrl, firstRun) {
  const session = await signIn(browser, baseUrl, firstRun);
  const cookie = session.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const demo = openDemo({ baseUrl, firstRun, cookie });
  const filled = await fillDemo(demo, await fillChats(demo));
  const pages = listPages(filled).filter(
    ({ name, isSignedOut, url }) => !isSignedOut && !/^https?:/.test(url) && name.includes(values.only),
  );
  process.stdout.write(
    "| page | script, kB | LCP, ms | CLS | response p95, ms |\n| --- | --- | --- | --- | --- |\n",
  );
  let tooHeavy = 0;
  for (const page of pages) {
    const { scriptKb, lcpMs, shift } = await measurePage(baseUrl, session, page.url);
    const p95 = await measureResponses(`${baseUrl}${page.url}`, cookie);
    if (scriptKb > MAX_SCRIPT_KB) tooHeavy++;
    process.stdout.write(
      `| ${page.name} | ${Math.round(scriptKb)} | ${Math.round(lcpMs)} | ${shift.toFixed(3)} | ${Math.round(p95)} |\n`,
    );
  }
  process.stderr.write(`${tooHeavy} of ${pages.length} pages load more than ${MAX_SCRIPT_KB} kB of script\n`);
  return tooHeavy === 0 ? 0 : 1;
}

/** Loads a page with an empty cache. */
async function measurePage(baseURL, storageState, url) {
  const context = await browser.newContext({ baseURL, storageState, viewport: VIEWPORT });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", DESKTOP);
  await page.addInitScript(observeTimes);
  await page.goto(url, { waitUntil: "load" });
  await page.waitForTimeout(SETTLE_MS);
  const measured = await page.evaluate(() => globalThis.measuredTimes);
  const sources = await page.evaluate(readScripts);
  await context.close();
  const sizes = await Promise.all(sources.map(gzippedSize));
  return { ...measured, scriptKb: sizes.reduce((sum, size) => sum + size, 0) / 1000 };
}

/**
 * The scripts of the page's HTML. Scripts that are loaded when the browser is idle, ahead of the next page or when a
 * reader uses something are not part of the first load, and current browsers skip the ones with `nomodule`.
 */
async function readScripts() {
  const html = await (await fetch(location.href)).text();
  const scripts = new DOMParser().parseFromString(html, "text/html").querySelectorAll("script[src]");
  return [...new Set([...scripts].filter((script) => !script.noModule).map((script) => script.src))];
}

async function gzippedSize(url) {
  return gzipSync(await (await fetch(url)).bytes()).length;
}

function observeTimes() {
  const measured = { lcpMs: 0, shift: 0 };
  globalThis.measuredTimes = measured;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) measured.lcpMs = entry.startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) measured.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
}

async function measureResponses(url, cookie) {
  const times = [];
  for (let sent = 0; sent < RESPONSES; sent++) {
    const start = performance.now();
    const response = await fetch(url, { headers: { cookie, accept: "text/html" }, redirect: "manual" });
    await response.text();
    times.push(performance.now() - start);
  }
  return times.sort((left, right) => left - right)[Math.ceil(0.95 * RESPONSES) - 1];
}
