import { rmSync } from "node:fs";
import path from "node:path";
import { residentBytes } from "../../instance/process-memory.mjs";
import { startServer } from "../../instance/start-server.mjs";
import { cpuSeconds } from "./cpu-seconds.mjs";

/**
 * Measures the start of an instance on new data, with its own PostgreSQL, until it is ready: seconds, and the server's
 * CPU time and resident memory at that moment. One row per round.
 */
export async function measureStart({ rounds, folder, env, report }) {
  const rows = [];
  for (let round = 0; round < rounds; round++) {
    const dataDir = path.join(folder, `start-${round}`);
    const from = performance.now();
    const server = await startServer({ ...env, DATABASE_URL: "", DATA_DIR: dataDir, ROLE: "all" });
    const row = {
      round,
      seconds: (performance.now() - from) / 1000,
      cpuSeconds: cpuSeconds(server.pid),
      residentMegabytes: residentBytes(server.pid) / 1e6,
    };
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
    report(
      `round ${round + 1}/${rounds}, start: ${row.seconds.toFixed(1)} s, ${row.residentMegabytes.toFixed(0)} MB`,
    );
    rows.push(row);
  }
  return rows;
}
