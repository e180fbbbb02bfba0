// npm run build: generates Prisma's client and the route table, builds Next's pages, then bundles the server and the
// admin command. `--pages`: only the pages, for a server that runs already.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { withBuildLock } from "./build-lock.mjs";
import { generateRoutes } from "./generate-routes.mjs";
import { hasScalar, provideScalar } from "./provide-scalar.mjs";
import { COMPILE_CACHE } from "./server-options.mjs";
import { withProgress } from "./with-progress.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const require = createRequire(import.meta.url);
const SOURCES = [
  "app",
  "components",
  "docs/images",
  "docs/site",
  "lib",
  "prisma/schema.prisma",
  "public",
  "server.ts",
  "scripts",
];
const SETTINGS = [
  "next.config.mjs",
  "package.json",
  "package-lock.json",
  "postcss.config.mjs",
  "tsconfig.json",
];
const DIST = path.join(root, "dist");
const STAMP = path.join(DIST, "built-from");
/** The sources of the bundles, which are built before the pages. */
const SERVER_STAMP = path.join(DIST, "server-built-from");
const LOCK = path.join(DIST, "building");
const PAGES_LOCK = path.join(DIST, "building-pages");
const METAFILE = path.join(DIST, "metafile.json");
const CHUNK_MS = 24 * 60 * 60_000;

/** Builds everything that is missing or older than the sources. `pages: false` skips Next, for development. */
export async function buildIfStale({ pages = true } = {}) {
  await provideScalar();
  const stamp = pages ? fingerprint() : null;
  if (stamp !== null && isBuilt(STAMP, stamp)) return;
  if (pages)
    await withProgress("Building Trunkline (only after an install or a change)", () =>
      buildAll("production"),
    );
  else await buildAll("development");
  if (stamp !== null) writeFileSync(STAMP, stamp);
}

async function buildAll(mode) {
  generateSources();
  if (mode === "production") await runNextBuild();
  await bundle(mode);
}

function runNextBuild() {
  return runQuietly([require.resolve("next/dist/bin/next"), "build"], { NODE_ENV: "production" });
}

/**
 * Builds what a server needs for its API, if anything is missing or older than the sources. Resolves with `true` if the
 * pages are up to date, too. Otherwise the server builds them in the background (`--pages`).
 */
export async function buildServerIfStale() {
  const stamp = fingerprint();
  if (isBuilt(STAMP, stamp) && hasScalar()) return true;
  await withBuildLock(LOCK, async () => {
    if (isBuilt(SERVER_STAMP, stamp)) return;
    generateSources();
    await bundleAll();
    writeFileSync(SERVER_STAMP, stamp);
  });
  return false;
}

function isBuilt(file, stamp) {
  return existsSync(file) && readFileSync(file, "utf8") === stamp;
}

/** Builds the pages, after `buildServerIfStale`. Ends with the server that started it. */
async function buildPages() {
  if (process.connected) process.once("disconnect", endGroup);
  const stamp = fingerprint();
  await withBuildLock(PAGES_LOCK, async () => {
    await provideScalar();
    if (isBuilt(STAMP, stamp)) return;
    await runNextBuild();
    writeFileSync(STAMP, stamp);
  });
}

// The server starts the build in a process group of its own.
function endGroup() {
  process.kill(process.platform === "win32" ? process.pid : -process.pid, "SIGKILL");
}

/** Builds only the bundles, for commands that need no pages. */
export async function bundleIfMissing() {
  if ([METAFILE, path.join(DIST, "cli.mjs")].every((file) => existsSync(file))) return;
  generateSources();
  await bundleAll();
}

/** Bundles the server and the commands for production. */
export async function bundleAll() {
  await bundle("production");
}

/** Generates Prisma's client and the route table, which the type check needs. */
export function generateSources() {
  generateClient();
  generateRoutes();
}

function generateClient() {
  run([path.join(root, "scripts", "prisma.mjs"), "generate"], {});
}

async function bundle(mode) {
  mkdirSync(DIST, { recursive: true });
  rmSync(SERVER_STAMP, { force: true });
  const built = await Promise.all(
    [serverBundle(mode), commandBundles(mode)].map((options) => build(options)),
  );
  const outputs = Object.assign({}, ...built.map(({ metafile }) => metafile.outputs));
  writeFileSync(METAFILE, JSON.stringify({ outputs }));
  removeOldChunks(outputs);
  // Node adds the code of each build and removes none.
  rmSync(COMPILE_CACHE, { recursive: true, force: true });
}

/**
 * esbuild's options for the server. Parts that it loads later are files of their own, so that a start neither reads nor
 * keeps them.
 */
export function serverBundle(mode) {
  return {
    ...commonOptions(mode),
    entryPoints: { server: "server.ts" },
    splitting: true,
    chunkNames: "chunk-[hash]",
  };
}

function commandBundles(mode) {
  return {
    ...commonOptions(mode),
    entryPoints: {
      admin: "scripts/admin.ts",
      cli: "scripts/cli.ts",
      openapi: "scripts/write-openapi.ts",
      "testing/testing": "lib/testkit/testing.ts",
    },
  };
}

function commonOptions(mode) {
  return {
    absWorkingDir: root,
    outdir: "dist",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    packages: "external",
    sourcemap: true,
    // Node reads the map of a bundle at each start. The sources would be most of it.
    sourcesContent: false,
    define: { "process.env.NODE_ENV": JSON.stringify(mode) },
    plugins: [withoutServerOnly],
    metafile: true,
    logLevel: "warning",
  };
}

/** Removes the chunks of earlier builds. A running server may still load those of the last day. */
function removeOldChunks(outputs) {
  for (const name of readdirSync(DIST).filter((one) => one.startsWith("chunk-"))) {
    const file = path.join(DIST, name);
    const isOld = Date.now() - statSync(file).mtimeMs > CHUNK_MS;
    if (isOld && !(`dist/${name}` in outputs)) rmSync(file);
  }
}

/** The bundles that an installed package needs, and the modules outside of them that they import. */
export function externalImports() {
  const { outputs } = JSON.parse(readFileSync(METAFILE, "utf8"));
  const bundles = Object.keys(outputs).filter((file) => file.endsWith(".mjs") && file !== "dist/openapi.mjs");
  const imports = bundles.flatMap((file) => outputs[file].imports.filter(({ external }) => external));
  return { bundles, imports: [...new Set(imports.map((one) => one.path))] };
}

// The "server-only" package throws outside bundlers that know it. All of this code runs on the server.
export const withoutServerOnly = {
  name: "without-server-only",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^server-only$/ }, () => ({ path: "server-only", namespace: "empty" }));
    onLoad({ filter: /.*/, namespace: "empty" }, () => ({ contents: "" }));
  },
};

/** Like `run`, without blocking this process, so that a progress line can be updated. */
function runQuietly(args, environment) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: envWith(environment),
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => {
      if (status === 0) return resolve();
      process.stderr.write(`\n${Buffer.concat(output)}\n`);
      reject(failureOf(args));
    });
  });
}

function run(args, environment) {
  const result = spawnSync(process.execPath, args, { cwd: root, stdio: "pipe", env: envWith(environment) });
  if (result.status === 0) return;
  process.stderr.write(`${result.stdout}\n${result.stderr}\n`);
  throw failureOf(args);
}

function envWith(environment) {
  return { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...environment };
}

function failureOf(args) {
  return new Error(`${path.basename(args[0])} ${args[1] ?? ""} failed`);
}

function fingerprint() {
  const hash = createHash("sha256");
  for (const file of buildSources()) {
    hash
      .update(file)
      .update("\0")
      .update(readFileSync(path.join(root, file)))
      .update("\0");
  }
  return hash.digest("hex");
}

/** The files whose changes need another build. */
export function buildSources() {
  return [...SOURCES, ...SETTINGS].flatMap(filesBelow).sort();
}

function filesBelow(entry) {
  const absolute = path.join(root, entry);
  if (!existsSync(absolute)) return [];
  if (entry.includes(".")) return [entry];
  return readdirSync(absolute, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && !file.parentPath.includes(path.join("lib", "platform", "prisma")))
    .filter((file) => !file.name.endsWith(".test.ts"))
    .map((file) => path.relative(root, path.join(file.parentPath, file.name)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await (process.argv.includes("--pages") ? buildPages() : buildIfStale());
  // The channel to the server would keep this process running.
  process.removeListener("disconnect", endGroup);
  if (process.connected) process.disconnect();
}
