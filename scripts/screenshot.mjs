// npm run screenshot: takes the README's screenshot of an instance with demo data. `--all DIR` instead captures every
// page, light and dark, 1280 and 390 px wide, and the pages of an empty account, for review. `--only NAME` limits these
// to pages whose name contains NAME.
import { mkdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildIfStale } from "./build.mjs";
import { ensureBrowser, findBrowser } from "./find-browser.mjs";
import { openInstance } from "./instance/open-instance.mjs";
import { fillChats, fillDemo, openDemo } from "./screenshot/fill-demo.mjs";
import { listPages, listRoutes, urlOf } from "./screenshot/list-pages.mjs";
import { signIn } from "./screenshot/sign-in.mjs";
import { takeReadmeImage, takeScreenshot } from "./screenshot/take-screenshot.mjs";

const README_IMAGE = fileURLToPath(new URL("../docs/images/timeline.webp", import.meta.url));
const SCHEMES = ["light", "dark"];
const VIEWPORTS = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

const { values } = parseArgs({
  options: { all: { type: "string" }, only: { type: "string", default: "" } },
});

await buildIfStale();
if (!(await ensureBrowser())) throw new Error("no browser found: install Chromium");
await takeScreenshots();

async function takeScreenshots() {
  const { chromium } = await import("@playwright/test");
  const server = await openInstance();
  const browser = await chromium.launch(findBrowser());
  try {
    const { firstRun } = server;
    const session = await signIn(browser, server.baseUrl, firstRun);
    const cookie = session.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const demo = openDemo({ baseUrl: server.baseUrl, firstRun, cookie });
    const chatId = await fillChats(demo);
    const open = (options) =>
      browser.newContext({ baseURL: server.baseUrl, storageState: session, ...options });

    const filled = await fillDemo(demo, chatId);
    if (values.all === undefined) {
      await takeReadmeImage(open, { url: `/chats/${chatId}`, file: README_IMAGE });
    } else {
      await takeAll(open, listPages(filled));
      const storageState = await openEmptyAccount(demo, { open, origin: server.baseUrl });
      await takeAll((options) => open({ storageState, ...options }), listEmptyPages());
    }
  } finally {
    await browser.close();
    await server.close();
  }
}

/** Creates an account without anything in it. Returns a session that shows it: a cookie names the session's account. */
async function openEmptyAccount({ callAsAdmin }, { open, origin }) {
  const { id } = await callAsAdmin("POST /api/accounts", { name: "Empty", type: "sandbox" });
  const context = await open({});
  const response = await context.request.put("/api/session/account", {
    headers: { origin },
    data: { account_id: id },
  });
  if (!response.ok()) throw new Error(`the empty account was not opened: ${response.status()}`);
  const session = await context.storageState();
  await context.close();
  return session;
}

/** The dashboard's pages that an empty account has: those without an id in their path. */
function listEmptyPages() {
  return listRoutes()
    .filter(({ parts, isSignedOut }) => !isSignedOut && parts[0] !== "docs" && !parts.join().includes("["))
    .map((route) => ({ ...route, name: `${route.name}.empty`, url: urlOf(route, { params: {} }) }));
}

async function takeAll(open, all) {
  mkdirSync(values.all, { recursive: true });
  const pages = all.filter(({ name }) => name.includes(values.only));
  for (const viewport of VIEWPORTS) {
    for (const colorScheme of SCHEMES) {
      const context = await open({ viewport, colorScheme });
      const signedOut = await open({ viewport, colorScheme, storageState: undefined });
      for (const page of pages) {
        const file = path.join(values.all, `${page.name}.${viewport.width}.${colorScheme}.png`);
        const problem = await takeScreenshot(page.isSignedOut ? signedOut : context, page.url, file);
        if (problem !== null) process.stdout.write(`${page.url}: ${problem}\n`);
      }
      await context.close();
      await signedOut.close();
    }
  }
  process.stdout.write(`${pages.length * VIEWPORTS.length * SCHEMES.length} screenshots in ${values.all}\n`);
}
