// npm start: builds what the API needs, then replaces this process with the server, which builds the pages in the
// background. `--dev`: with Next's live reload. An installed package is built already.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { findNode } from "./find-node.mjs";
import { COMPILE_CACHE, SERVER_OPTIONS } from "./server-options.mjs";
import { PARENT_VARIABLE, whenParentEnds } from "./when-parent-ends.mjs";

// First, because npm can end while this process builds.
const parent = process.ppid;
const stopWatching = whenParentEnds(() => process.exit(1), parent);

const BUILD = new URL("build.mjs", import.meta.url);
const SERVER = fileURLToPath(new URL("../dist/server.mjs", import.meta.url));

const development = process.argv.includes("--dev");
const node = findNodeOrExit();
if (node === process.execPath) await startServer();
else runAsChild(node, process.argv.slice(1), process.env);

async function startServer() {
  const args = [...SERVER_OPTIONS, SERVER];
  const env = {
    ...process.env,
    NODE_ENV: development ? "development" : "production",
    NEXT_TELEMETRY_DISABLED: "1",
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? COMPILE_CACHE,
    // A relative directory belongs to the caller's working directory, not to the installed package.
    DATA_DIR: path.resolve(process.env.DATA_DIR || ".data"),
    DASHBOARD: await buildSources(),
    // DNS lookups share these threads with file access and hashing, so a few hanging lookups must not block the rest.
    UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE ?? "16",
  };
  process.chdir(fileURLToPath(new URL("..", import.meta.url)));
  // Windows can't replace a process with another program.
  if (process.platform === "win32") runAsChild(node, args, env);
  else process.execve(node, [node, ...args], withParent(env));
}

// The program keeps this process's parent, and is loaded for seconds before it can look.
function withParent(env) {
  if (env.npm_lifecycle_event === undefined) return env;
  return { ...env, [PARENT_VARIABLE]: String(parent) };
}

/** Builds what is missing or stale, except the pages. Resolves with the setting DASHBOARD of the server. */
async function buildSources() {
  const dashboard = process.env.DASHBOARD || "on";
  if (!existsSync(BUILD)) return dashboard;
  const { buildIfStale, buildServerIfStale } = await import(BUILD);
  if (development) await buildIfStale({ pages: false });
  else if (!(await buildServerIfStale()) && dashboard === "on") return "build";
  return dashboard;
}

function findNodeOrExit() {
  try {
    return findNode();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

function runAsChild(program, args, env) {
  const child = spawn(program, args, { stdio: "inherit", env });
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  stopWatching();
  whenParentEnds(() => child.kill("SIGTERM"), parent);
  child.on("exit", (code) => process.exit(code ?? 1));
}
