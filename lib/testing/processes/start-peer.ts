import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { createTestDatabase } from "@/lib/testing/template-database";
import { findFreePort } from "@/scripts/instance/find-free-port.mjs";
import { readFirstRun } from "@/scripts/instance/open-instance.mjs";
import { startProcess } from "@/scripts/instance/start-process.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** A second Trunkline in its own process, with its own database, simulated phones and a sandbox account. */
export interface Peer {
  url: string;
  /** A token of its demo account, which can create accounts. */
  token: string;
  /** Kills the process. Its database stays. */
  kill(): Promise<void>;
  /** Starts it again on the same port and the same database. */
  revive(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a second Trunkline. Its outbound webhooks reach this machine. */
export async function startPeer(): Promise<Peer> {
  const outfile = path.join(root, ".generated", `test-peer-${process.pid}-${performance.now()}.mjs`);
  await build({
    entryPoints: [path.join(root, "server.ts")],
    outfile,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    packages: "external",
    alias: { "server-only": path.join(root, "lib/testing/server-only.ts") },
    logLevel: "warning",
  });
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(path.join(tmpdir(), "trunkline-peer-"));
  chmodSync(dataDir, 0o711);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const start = () =>
    startProcess({
      args: [outfile],
      env: settingsOf({ dataDir, port, url, databaseUrl: database.url }),
      readyUrl: `${url}/ready`,
    });
  let running = await start();
  const { token }: { token: string } = readFirstRun(dataDir);
  return {
    url,
    token,
    kill: () => running.kill(),
    async revive() {
      running = await start();
    },
    async close() {
      await running.kill();
      await database.drop();
      rmSync(outfile, { force: true });
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

interface PeerSettings {
  dataDir: string;
  port: number;
  url: string;
  databaseUrl: string;
}

function settingsOf({ dataDir, port, url, databaseUrl }: PeerSettings): Record<string, string> {
  return {
    HOST: "127.0.0.1",
    PORT: String(port),
    BASE_URL: url,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    NODE_ENV: "production",
    LOG_LEVEL: "error",
    DASHBOARD: "off",
    CLOCK_CONTROL: "1",
    SEED_DEMO: "1",
    WEBHOOK_ALLOW_PRIVATE: "127.0.0.1",
  };
}
