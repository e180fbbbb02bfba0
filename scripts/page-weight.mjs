// npm run page-weight: prints how much script the first load of each page takes, from the build alone, and fails if a
// page takes more than the limit. Scripts that are loaded when the browser is idle or when something is first used are
// not part of the first load.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { buildIfStale } from "./build.mjs";

const BUILD = fileURLToPath(new URL("../.next", import.meta.url));
/** The most script of a first load, in kB, gzipped. */
export const MAX_SCRIPT_KB = 220;

/**
 * The gzipped script of each page's first load, in kB, heaviest first: Next's runtime and every script that a client
 * component of the page, of its layouts or of its loading and error states needs.
 */
export function pageWeights(build = BUILD) {
  const sizes = new Map();
  const sizeOf = (script) => {
    if (!sizes.has(script)) sizes.set(script, gzipSync(readFileSync(path.join(build, script))).length);
    return sizes.get(script);
  };
  const { rootMainFiles } = readJson(build, "build-manifest.json");
  return Object.entries(readJson(build, "app-path-routes-manifest.json"))
    .filter(([file]) => file.endsWith("/page"))
    .map(([file, url]) => {
      const scripts = new Set([...rootMainFiles, ...scriptsOf(path.join(build, "server/app", file))]);
      return { url, kb: [...scripts].reduce((sum, script) => sum + sizeOf(script), 0) / 1000 };
    })
    .sort((left, right) => right.kb - left.kb);
}

/** The pages that take more than the limit, as sentences. Builds the pages first if they are out of date. */
export async function findHeavyPages() {
  await buildIfStale();
  return pageWeights()
    .filter(({ kb }) => kb > MAX_SCRIPT_KB)
    .map(({ url, kb }) => `${url} loads ${kb.toFixed(1)} kB of script, more than ${MAX_SCRIPT_KB} kB`);
}

/** The scripts of a page's client components. Next writes the list as a script that sets a global. */
function scriptsOf(page) {
  const file = `${page}_client-reference-manifest.js`;
  if (!existsSync(file)) throw new Error(`${file} is missing: run npm run build`);
  const global = {};
  runInNewContext(readFileSync(file, "utf8"), Object.assign(global, { globalThis: global }));
  return Object.values(global.__RSC_MANIFEST).flatMap(({ clientModules }) =>
    Object.values(clientModules).flatMap(({ chunks }) =>
      chunks.map((chunk) => decodeURI(chunk.replace(/^\/_next\//, "").replace(/\?.*$/, ""))),
    ),
  );
}

function readJson(build, name) {
  return JSON.parse(readFileSync(path.join(build, name), "utf8"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const heavy = await findHeavyPages();
  process.stdout.write("| page | script, kB |\n| --- | --- |\n");
  for (const { url, kb } of pageWeights()) process.stdout.write(`| ${url} | ${kb.toFixed(1)} |\n`);
  for (const sentence of heavy) process.stderr.write(`${sentence}\n`);
  process.exitCode = heavy.length === 0 ? 0 : 1;
}
