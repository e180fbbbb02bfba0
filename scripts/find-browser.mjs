// Finds the browser of the tests: the installed Chromium if there is one, otherwise Playwright's download.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";

const PLACES = [
  // Without a window to render, it uses a third less processor time than the full browser.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const QUIET = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Without a graphics card, Chromium emulates one, which takes more processor time than drawing without one.
  "--disable-gpu",
];

/** Returns Playwright's launch options for the browser. */
export function findBrowser() {
  const executablePath = process.env.CHROMIUM_PATH || PLACES.find((place) => existsSync(place));
  const args = process.getuid?.() === 0 ? ["--no-sandbox", ...QUIET] : QUIET;
  return executablePath === undefined ? { args } : { executablePath, args };
}

/**
 * Ensures that a browser is available: the installed one, otherwise Playwright's download, otherwise Debian's package
 * if run by root. Returns false if all fail.
 */
export async function ensureBrowser() {
  if (await hasBrowser()) return true;
  spawnSync(process.execPath, [playwrightCli(), "install", "chromium"], { stdio: "inherit" });
  if (await hasBrowser()) return true;
  if (process.getuid?.() === 0) {
    spawnSync("apt-get", ["update", "-qq"], { stdio: "inherit" });
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    spawnSync("apt-get", ["install", "-y", "-qq", "chromium-headless-shell"], { stdio: "inherit", env });
  }
  return hasBrowser();
}

async function hasBrowser() {
  if (findBrowser().executablePath !== undefined) return true;
  const { chromium } = await import("@playwright/test");
  return existsSync(chromium.executablePath());
}

function playwrightCli() {
  return createRequire(import.meta.url).resolve("@playwright/test/cli");
}
