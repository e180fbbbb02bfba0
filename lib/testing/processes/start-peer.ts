import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { createTestDatabase } from "@/lib/testing/template-database";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const READY = "Trunkline is ready";
const START_MS = 90_000;

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
  const start = () => startProcess(outfile, { dataDir, port, databaseUrl: database.url });
  let child = await start();
  // A test that ran out of time does not close its peer.
  const killWithThisProcess = () => void child.kill("SIGKILL");
  process.once("exit", killWithThisProcess);
  const { token } = JSON.parse(readFileSync(path.join(dataDir, "first-run.json"), "utf8")) as {
    token: string;
  };
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  };
  return {
    url,
    token,
    kill,
    async revive() {
      child = await start();
    },
    async close() {
      await kill();
      process.off("exit", killWithThisProcess);
      await database.drop();
      rmSync(outfile, { force: true });
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

interface PeerSettings {
  dataDir: string;
  port: number;
  databaseUrl: string;
}

async function startProcess(
  outfile: string,
  { dataDir, port, databaseUrl }: PeerSettings,
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [outfile], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      HOST: "127.0.0.1",
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}`,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      NODE_ENV: "production",
      LOG_LEVEL: "error",
      DASHBOARD: "off",
      CLOCK_CONTROL: "1",
      SEED_DEMO: "1",
      WEBHOOK_ALLOW_PRIVATE: "127.0.0.1",
    },
  });
  let output = "";
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the peer did not start:\n${output}`)), START_MS);
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (!output.includes(READY)) return;
      clearTimeout(timer);
      resolve();
    });
    child.once("exit", (code) => reject(new Error(`the peer ended with ${code}:\n${output}`)));
  });
  return child;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}
