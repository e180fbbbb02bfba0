// npm run check: format and lint, types, dependency rules, dead code, up-to-date documents and valid openapi files, and
// security advisories if the registry responds. Every check runs; any failure fails the command.
// `--types` (npm run types): only the types. `--words`: also the words of the code that the glossary advises against.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { checkAdvisories } from "./advisories.mjs";
import { bundleAll, generateSources } from "./build.mjs";
import { generateApiTypes } from "./generate-api-types.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** TypeScript 7 checks types in a fraction of the time. TypeScript 6 stays for tools that use the compiler as a library. */
const TYPES = {
  name: "types",
  command: process.execPath,
  args: ["node_modules/typescript-7/bin/tsc", "--noEmit", "--pretty", "false"],
};

const WORDS = process.argv.includes("--words") ? ["--words"] : [];

/** The longest first, so that none runs alone at the end. */
const CHECKS = [
  {
    name: "dependency rules",
    command: "depcruise",
    args: ["--config", ".dependency-cruiser.mjs", "app", "components", "lib", "server.ts"],
  },
  TYPES,
  { name: "format and lint", command: "biome", args: ["check", "--error-on-warnings", "."] },
  {
    name: "language",
    command: process.execPath,
    args: ["scripts/check-language.mjs", ...WORDS],
    isShown: WORDS.length > 0,
  },
  { name: "dead code", command: "knip", args: [] },
  { name: "generated documents are fresh", command: process.execPath, args: ["dist/openapi.mjs", "--check"] },
  {
    name: "types of statements are fresh",
    command: process.execPath,
    args: ["scripts/statements.mjs", "--check"],
  },
  {
    name: "list of scenarios is fresh",
    command: process.execPath,
    args: ["scripts/list-scenarios.mjs", "--check"],
  },
  {
    name: "openapi files lint clean",
    command: "spectral",
    args: ["lint", "--fail-severity", "hint", "openapi.json", "openapi-simulator.json"],
  },
];

/**
 * Runs every check, as many at a time as there are processors. Resolves with the names of the passed and failed checks.
 * `isPrepared`: generated sources and bundles are up to date.
 */
export async function runChecks({ isPrepared = false } = {}) {
  if (!isPrepared) await prepareChecks();
  // Mostly waits for the registry, so it runs beside the others.
  const checkingAdvisories = checkAdvisories();
  const waiting = [...CHECKS];
  const results = [];
  const runWaiting = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      results.push({ name: check.name, passed: await runCheck(check) });
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, runWaiting));
  const advisories = await checkingAdvisories;
  process.stdout.write(`${advisories.passed ? "ok  " : "FAIL"} ${advisories.line}\n`);
  results.push({ name: "security advisories", passed: advisories.passed });
  return {
    passed: results.filter((result) => result.passed).map((result) => result.name),
    failed: results.filter((result) => !result.passed).map((result) => result.name),
  };
}

/** Checks only the types, after generating Prisma's client, the route table and the API's types. */
async function checkTypes() {
  await generateTypes();
  return runCheck(TYPES);
}

/** Generates the files that the checks read: Prisma's client, the route table, the API's types and the bundles. */
export async function prepareChecks() {
  await generateTypes();
  await bundleAll();
}

async function generateTypes() {
  generateSources();
  await generateApiTypes();
}

async function runCheck({ name, command, args, isShown = false }) {
  const program = command === process.execPath ? command : path.join(root, "node_modules", ".bin", command);
  const { status, output } = await run(program, args);
  const passed = status === 0;
  process.stdout.write(`${passed ? "ok  " : "FAIL"} ${name}\n`);
  if (!passed || isShown) process.stdout.write(`${output}\n`);
  return passed;
}

function run(program, args) {
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, FORCE_COLOR: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, output: Buffer.concat(output).toString("utf8") }));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const passed = process.argv.includes("--types")
    ? await checkTypes()
    : (await runChecks()).failed.length === 0;
  process.exitCode = passed ? 0 : 1;
}
