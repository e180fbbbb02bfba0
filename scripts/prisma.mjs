// Prisma's CLI without a download: `npm run db -- generate`, `npm run db -- migrate dev --name add-lines`, ... Without
// DATABASE_URL, the command gets its own empty PostgreSQL, which is deleted afterwards.
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const COMMANDS_WITH_DATABASE = new Set(["migrate", "db", "studio"]);

const args = process.argv.slice(2);
const needsDatabase = COMMANDS_WITH_DATABASE.has(args[0]) && !args.includes("--help") && !args.includes("-h");
process.exitCode =
  needsDatabase && !process.env.DATABASE_URL
    ? await runOnThrowawayDatabase()
    : await runPrisma(process.env.DATABASE_URL);

async function runOnThrowawayDatabase() {
  const { startEmbeddedPostgres } = await import("../lib/platform/postgres/embedded-postgres.ts");
  const dataDir = mkdtempSync(path.join(tmpdir(), "trunkline-prisma-"));
  // When started by root, PostgreSQL runs as another user, who needs access to the directory.
  chmodSync(dataDir, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDir, settings: { fsync: "off" } });
  try {
    return await runPrisma(postgres.adminUrl);
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function runPrisma(databaseUrl) {
  const cli = createRequire(import.meta.url).resolve("prisma/build/index.js");
  const child = spawn(process.execPath, [cli, ...args], { stdio: "inherit", env: environment(databaseUrl) });
  // Ctrl-C reaches Prisma too. This process stays alive to stop the database afterwards.
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

function environment(databaseUrl) {
  const environment = {
    ...process.env,
    // Prisma starts the schema engine with "node". This makes it the same Node that runs this script.
    PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH ?? ""}`,
    CHECKPOINT_DISABLE: "1",
    PRISMA_HIDE_UPDATE_MESSAGE: "1",
  };
  if (databaseUrl) environment.DATABASE_URL = databaseUrl;
  // Windows can't start a script as a program, so Prisma downloads its own engine there.
  if (process.platform !== "win32") {
    environment.PRISMA_SCHEMA_ENGINE_BINARY = fileURLToPath(new URL("schema-engine.mjs", import.meta.url));
  }
  return environment;
}
