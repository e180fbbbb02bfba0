// The browser of the tests: the machine's Chromium if there is one, otherwise Playwright's own download.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";

const PLACES = [
  // Without a window to compose it takes a third less processor time than the browser.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const QUIET = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** Playwright's launch options for it. */
export function findBrowser() {
  const executablePath = process.env.CHROMIUM_PATH || PLACES.find((place) => existsSync(place));
  const args = process.getuid?.() === 0 ? ["--no-sandbox", ...QUIET] : QUIET;
  return executablePath === undefined ? { args } : { executablePath, args };
}

/**
 * Makes sure there is a browser: the machine's own, else Playwright's download, else Debian's package when root.
 * False when all fail.
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
