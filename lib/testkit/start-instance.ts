import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { findNode } from "../../scripts/find-node.mjs";

/** Settings of an instance for tests. */
export interface InstanceOptions {
  /** Environment variables of the instance, such as `WEBHOOK_RETRY_SECONDS`. */
  env?: Readonly<Record<string, string>>;
  /** The loopback port. By default a free one. */
  port?: number;
  /** Milliseconds to wait for the start. */
  startTimeoutMs?: number;
}

/** A running instance for tests. */
export interface Instance {
  /** Its base URL. */
  readonly url: string;
  /** An API token of its demo account, which can create accounts. */
  readonly token: string;
  /** Stops the instance and deletes its data. */
  stop(): Promise<void>;
}

/** The root of the installed package. The sources in lib/testkit and the bundle in dist/testing are equally deep. */
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 20_000;
const TAIL_CHARACTERS = 4000;
const READY = "Trunkline is ready";

/**
 * Starts an instance with its own database in a temporary directory, whose clock tests can move. Serves the API, without
 * the pages of the dashboard. Ends with this process. Throws an Error with the instance's output if it does not start.
 */
export async function startInstance(options: InstanceOptions = {}): Promise<Instance> {
  const directory = mkdtempSync(path.join(tmpdir(), "trunkline-instance-"));
  // When started by root, PostgreSQL runs as another user, who needs access to the directory.
  chmodSync(directory, 0o711);
  const dataDir = path.join(directory, "data");
  const port = options.port ?? (await findFreePort());
  const child = spawn(findNode(), ["--enable-source-maps", "dist/server.mjs"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      HOST: "127.0.0.1",
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}`,
      DATA_DIR: dataDir,
      DATABASE_URL: "",
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      LOG_LEVEL: "warn",
      DASHBOARD: "off",
      CLOCK_CONTROL: "1",
      SEED_DEMO: "1",
      ...options.env,
    },
  });
  const stopWithThisProcess = () => void child.kill("SIGTERM");
  process.once("exit", stopWithThisProcess);
  const exited = once(child, "exit").then(() => process.off("exit", stopWithThisProcess));
  const stop = async () => {
    const insist = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
    child.kill("SIGTERM");
    await exited;
    clearTimeout(insist);
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await untilReady(child, options.startTimeoutMs ?? START_TIMEOUT_MS);
    const { token } = JSON.parse(readFileSync(path.join(dataDir, "first-run.json"), "utf8")) as {
      token: string;
    };
    return { url: `http://127.0.0.1:${port}`, token, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Resolves when the instance has printed that it is ready. */
function untilReady(child: ReturnType<typeof spawn>, timeoutMs: number): Promise<void> {
  let output = "";
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      clearTimeout(timer);
      reject(new Error(`Trunkline ${reason}. Its output:\n${output}`));
    };
    const timer = setTimeout(() => fail(`did not start within ${timeoutMs / 1000} s`), timeoutMs);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output = (output + text).slice(-TAIL_CHARACTERS);
        if (!output.includes(READY)) return;
        clearTimeout(timer);
        resolve();
      });
    }
    child.once("error", (error) => fail(`did not start: ${error.message}`));
    child.once("exit", (code) => fail(`ended with exit code ${code}`));
  });
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
