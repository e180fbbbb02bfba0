import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startServer } from "./start-server.mjs";
import { WITHOUT_LIMITS } from "./without-limits.mjs";

/** Reads the demo's token, line, phone and admin from a data directory. */
export function readFirstRun(dataDir) {
  return JSON.parse(readFileSync(path.join(dataDir, "first-run.json"), "utf8"));
}

/**
 * Starts the built server with the embedded database, the demo and no limits, in a temporary folder that is removed when
 * the instance is closed. `settings` are more environment variables.
 */
export async function openInstance(settings = {}) {
  const dataDir = mkdtempSync(path.join(tmpdir(), "trunkline-instance-"));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  let server;
  try {
    server = await startServer({ DATA_DIR: dataDir, DATABASE_URL: "", ...WITHOUT_LIMITS, ...settings });
    const close = async () => {
      await server.stop();
      remove();
    };
    return { ...server, dataDir, firstRun: readFirstRun(dataDir), close };
  } catch (error) {
    await server?.stop();
    remove();
    throw error;
  }
}
