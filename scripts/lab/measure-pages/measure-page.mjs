import { gzipSync } from "node:zlib";

const RESPONSES = 20;
/** Lighthouse's desktop preset: 10 Mbit/s, 40 ms, no slower processor. */
const DESKTOP = { offline: false, latency: 40, downloadThroughput: 1_310_720, uploadThroughput: 1_310_720 };
const VIEWPORT = { width: 1350, height: 940 };
const SETTLE_MS = 1000;

/**
 * Loads a page with an empty cache: the gzipped scripts of its HTML in kB, the largest contentful paint in ms and the
 * layout shift, all with the throttling of Lighthouse's desktop preset; and the 95th percentile of its response time in
 * ms, without throttling.
 */
export async function measurePage(browser, { baseUrl, session, cookie }, url) {
  const loaded = await loadPage(
    browser,
    { baseURL: baseUrl, storageState: session, viewport: VIEWPORT },
    url,
  );
  return { ...loaded, p95Ms: await measureResponses(`${baseUrl}${url}`, cookie) };
}

async function loadPage(browser, options, url) {
  const context = await browser.newContext(options);
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
