#!/usr/bin/env node
// Replaces Prisma's native schema engine, which its CLI would otherwise download: the same command line and JSON-RPC
// over stdio, implemented with @prisma/schema-engine-wasm. PRISMA_SCHEMA_ENGINE_BINARY points to this file (see
// prisma.mjs).
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import { createAdapterFactory, runOnServer, withConnection } from "./schema-engine-database.mjs";

const CODE_OF_SQLSTATE = { "3D000": "P1003", "28P01": "P1000", 28000: "P1000", 42501: "P1010" };

const COMMANDS = {
  "can-connect-to-database": ({ url }) => withConnection(url, async () => undefined),
  "create-database": ({ url }) => runOnServer(url, (name) => `CREATE DATABASE ${name}`),
  "drop-database": ({ url }) => runOnServer(url, (name) => `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
};

const EMPTY_SCRIPT = "-- This is an empty migration.";
const LOSING =
  /\bDROP (TABLE|COLUMN)\b|\bCREATE UNIQUE INDEX\b|\bSET (NOT NULL|DATA TYPE)\b|\bADD COLUMN\b[^,;]*\bNOT NULL\b(?![^,;]*\bDEFAULT\b)/;

const options = readArguments(process.argv.slice(2));
if (options.version) console.log("schema-engine-cli wasm");
else if (options.command) await runCommand(options);
else await serve(options);

function readArguments(args) {
  const read = { datamodels: [], datasource: {}, command: undefined, version: args.includes("--version") };
  for (let at = 0; at < args.length; at++) {
    if (args[at] === "--datamodels") read.datamodels.push(args[++at]);
    else if (args[at] === "--datasource") read.datasource = JSON.parse(args[++at]);
    else if (args[at] === "--enabled-preview-features" || args[at] === "--extension-types") at++;
    else if (args[at] === "cli") read.command = args[++at];
  }
  return read;
}

async function runCommand({ command, datasource }) {
  // The CLI skips the first line, where the native engine logs its start.
  log("INFO", `Starting schema engine: ${command}`);
  try {
    await COMMANDS[command](datasource);
  } catch (error) {
    fail(error);
  }
}

/** Handles JSON-RPC requests one at a time until the CLI closes stdin. */
async function serve(options) {
  let last = createEngine(options).catch((error) => {
    fail(error);
    process.exit();
  });
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    const request = line.trim() === "" ? undefined : JSON.parse(line);
    // The CLI also acknowledges "print" on this stream. Those lines have no method.
    if (request?.method) last = last.then((engine) => answer(engine, request));
  });
  lines.on("close", () => last.then(() => process.exit()));
}

async function answer(engine, { id, method, params }) {
  try {
    const result = await call(engine, method, params);
    // The native engine prints a diff itself; this one returns it.
    if (method === "diff" && result?.stdout != null) {
      send({ id: `print-${id}`, method: "print", params: { content: result.stdout } });
    }
    send({ id, result: result ?? {} });
  } catch (error) {
    const message = error?.message ?? String(error);
    const details = { is_panic: false, message, meta: error?.meta ?? {}, error_code: error?.code ?? null };
    send({ id, error: { code: 4466, message, data: details } });
  }
  return engine;
}

async function call(engine, method, params) {
  if (method === "getDatabaseVersion") return await engine.version(params);
  if (method === "evaluateDataLoss") return evaluateDataLoss(await diffOf(engine, params));
  if (method === "createMigration") return toMigration(await diffOf(engine, params), params);
  if (typeof engine[method] !== "function") throw new Error(`This schema engine has no method ${method}.`);
  return await engine[method](params);
}

/**
 * The script from the history of migrations to the schema; empty if they agree. This engine answers `evaluateDataLoss`
 * and `createMigration` from the history as its first diagnosis read it, which lacks pending migrations and, because no
 * preview feature is on in a diagnosis, the conditions of partial indexes.
 */
async function diffOf(engine, { migrationsList, schema, filters }) {
  const from = { tag: "migrations", ...migrationsList };
  const to = { tag: "schemaDatamodel", ...schema };
  const diff = { from, to, script: true, exitCode: null, shadowDatabaseUrl: null, filters };
  const { stdout } = await engine.diff(diff);
  return stdout.trim() === EMPTY_SCRIPT ? "" : stdout;
}

/** The steps of a script that lose data, or can fail in a table with rows. */
function evaluateDataLoss(script) {
  const steps = script.split(/^-- /m).slice(1);
  const warnings = steps
    .filter((step) => LOSING.test(step))
    .map((step) => `It changes or loses data: ${step.trim()}`);
  return { migrationSteps: steps.length, warnings, unexecutableSteps: [] };
}

function toMigration(script, { draft, migrationName }) {
  const time = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  return {
    connectorType: "postgresql",
    generatedMigrationName: [time, migrationName].filter(Boolean).join("_"),
    extension: "sql",
    migrationScript: script === "" ? (draft ? `${EMPTY_SCRIPT}\n` : null) : script,
  };
}

async function createEngine({ datamodels, datasource }) {
  if (!datasource.url) throw new Error("DATABASE_URL is not set.");
  loadWasm();
  const files = datamodels.map((file) => [file, readFileSync(file, "utf8")]);
  const trace = (line) => process.env.DEBUG && process.stderr.write(`${line}\n`);
  const factory = bindMigrationAwareSqlAdapterFactory(createAdapterFactory(datasource.url));
  return bindings.SchemaEngine.new({ datamodels: files.length > 0 ? files : undefined }, trace, factory);
}

function loadWasm() {
  const file = new URL("schema_engine_bg.wasm", import.meta.resolve("@prisma/schema-engine-wasm"));
  const wasm = new WebAssembly.Module(readFileSync(file));
  const { exports } = new WebAssembly.Instance(wasm, { "./schema_engine_bg.js": bindings });
  bindings.__wbg_set_wasm(exports);
  exports.__wbindgen_start();
  globalThis.PRISMA_WASM_PANIC_REGISTRY = { set_message: (message) => log("ERROR", String(message)) };
}

function fail(error) {
  const code = CODE_OF_SQLSTATE[error?.code] ?? "P1001";
  log("ERROR", error?.message || error?.code || String(error), { error_code: code, is_panic: false });
  process.exitCode = 1;
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

function log(level, message, extra = {}) {
  const line = {
    timestamp: new Date().toISOString(),
    level,
    target: "schema_engine::logger",
    fields: { message, ...extra },
  };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}
