// npm run measure:pages: measures every page of the dashboard on a temporary instance with demo data, on a temporary
// instance whose account has `--chats` and `--messages`, or on a running one (`--url`, with the data directory of its
// credentials in `--data`). Prints a Markdown table of the script of the first load, the largest contentful paint and the
// layout shift with the desktop throttling of Lighthouse, and the response time. `--lighthouse` also runs Lighthouse on
// Home, the chats and a chat; `--lighthouse-folder DIR` names a folder that has it. Fails if a page misses a target.
import { parseArgs } from "node:util";
import { buildIfStale } from "../build.mjs";
import { ensureBrowser, findBrowser } from "../find-browser.mjs";
import { openInstance, readFirstRun } from "../instance/open-instance.mjs";
import { MAX_SCRIPT_KB } from "../page-weight.mjs";
import { fillChats, fillDemo, openDemo } from "../screenshot/fill-demo.mjs";
import { listPages } from "../screenshot/list-pages.mjs";
import { signIn } from "../screenshot/sign-in.mjs";
import { measurePage } from "./measure-pages/measure-page.mjs";
import { openFilled } from "./measure-pages/open-filled.mjs";
import { isWellScored, runLighthouse } from "./measure-pages/run-lighthouse.mjs";

const TARGETS = [
  { name: "script", key: "scriptKb", most: MAX_SCRIPT_KB, unit: "kB" },
  { name: "LCP", key: "lcpMs", most: 1000, unit: "ms" },
  { name: "layout shift", key: "shift", most: 0.02, unit: "" },
  { name: "response p95", key: "p95Ms", most: 150, unit: "ms" },
];
const AUDITED = ["home", "chats", "chats-chatId"];

const { values } = parseArgs({
  options: {
    url: { type: "string" },
    data: { type: "string" },
    only: { type: "string", default: "" },
    chats: { type: "string", default: "100000" },
    messages: { type: "string" },
    lighthouse: { type: "boolean", default: false },
    "lighthouse-folder": { type: "string" },
  },
});
const report = (line) => process.stderr.write(`${line}\n`);

if (!(await ensureBrowser())) throw new Error("no browser found: install Chromium");
const { chromium } = await import("@playwright/test");
const browser = await chromium.launch(findBrowser());
try {
  const instance = await openPages();
  try {
    process.exitCode = (await measureAll(instance)) ? 0 : 1;
  } finally {
    await instance.close();
  }
} finally {
  await browser.close();
}

async function openPages() {
  if (values.url !== undefined) {
    if (values.data === undefined) throw new Error("--url needs --data, the data directory of the instance");
    return { ...(await fillInstance(values.url, readFirstRun(values.data))), close: async () => undefined };
  }
  await buildIfStale();
  if (values.messages !== undefined) {
    return openFilled({ chats: Number(values.chats), messages: Number(values.messages), report });
  }
  const { baseUrl, firstRun, close } = await openInstance();
  return { ...(await fillInstance(baseUrl, firstRun)), close };
}

/** Fills the demo account of an instance with one of everything. */
async function fillInstance(baseUrl, firstRun) {
  const session = await signIn(browser, baseUrl, firstRun);
  const cookie = session.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const demo = openDemo({ baseUrl, firstRun, cookie });
  return { baseUrl, session, cookie, demo: await fillDemo(demo, await fillChats(demo)) };
}

/** Prints the measurements of all pages. Resolves with whether all of them meet their targets. */
async function measureAll(instance) {
  const pages = listPages(instance.demo).filter(
    ({ name, isSignedOut, url }) => !isSignedOut && !/^https?:/.test(url) && name.includes(values.only),
  );
  process.stdout.write(
    "| page | script, kB | LCP, ms | CLS | response p95, ms |\n| --- | --- | --- | --- | --- |\n",
  );
  const missed = [];
  for (const page of pages) {
    const measured = await measurePage(browser, instance, page.url);
    const { scriptKb, lcpMs, shift, p95Ms } = measured;
    process.stdout.write(
      `| ${page.name} | ${Math.round(scriptKb)} | ${Math.round(lcpMs)} | ${shift.toFixed(3)} | ${Math.round(p95Ms)} |\n`,
    );
    for (const { name, key, most, unit } of TARGETS.filter(({ key, most }) => measured[key] > most)) {
      missed.push(`${page.name}: ${name} ${measured[key].toFixed(2)} ${unit}, above ${most}`);
    }
  }
  const isWell =
    values.lighthouse || values["lighthouse-folder"] !== undefined ? await auditAll(instance, pages) : true;
  for (const sentence of missed) report(sentence);
  report(`${missed.length} targets missed on ${pages.length} pages`);
  return missed.length === 0 && isWell;
}

async function auditAll({ baseUrl, cookie }, pages) {
  const results = await runLighthouse({
    ...{ folder: values["lighthouse-folder"], executablePath: findBrowser().executablePath },
    ...{ baseUrl, cookie, pages: pages.filter(({ name }) => AUDITED.includes(name)) },
  });
  process.stdout.write(
    "\n| page | performance | accessibility | best practices | what cost points |\n| --- | --- | --- | --- | --- |\n",
  );
  for (const { name, performance, accessibility, bestPractices, costs } of results) {
    process.stdout.write(
      `| ${name} | ${performance} | ${accessibility} | ${bestPractices} | ${costs.join("; ")} |\n`,
    );
  }
  return results.every(isWellScored);
}
