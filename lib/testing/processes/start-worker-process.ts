import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../..", import.meta.url));

export interface WorkerProcesses {
  /** Starts a process on the test's database. */
  start(): Promise<ChildProcess>;
  /** Kills all running processes. */
  end(): Promise<void>;
}

interface WorkerOptions {
  /** The response timeout of its deliveries. */
  answerMs: number;
  leaseMs: number;
  /** Whether it exchanges notifications with other processes. */
  joins?: boolean;
}

/** Bundles a worker that delivers webhooks in its own process, so that tests can kill it. */
export function bundleWorker(options: WorkerOptions): Promise<WorkerProcesses> {
  return bundleProcess(sourceOf(options));
}

/** Bundles a program that prints `started` when it runs, so that tests can kill its processes. */
export async function bundleProcess(source: string): Promise<WorkerProcesses> {
  const outfile = path.join(root, ".generated", `test-worker-${process.pid}.mjs`);
  await build({
    stdin: { contents: source, resolveDir: root, loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    packages: "external",
    alias: { "server-only": path.join(root, "lib/testing/server-only.ts") },
    logLevel: "warning",
  });

  const running = new Set<ChildProcess>();
  return {
    async start() {
      const child = spawn(process.execPath, [outfile], { stdio: ["ignore", "pipe", "inherit"] });
      running.add(child);
      child.once("exit", () => running.delete(child));
      await Promise.race([once(child.stdout, "data"), once(child, "exit").then(failEarly)]);
      return child;
    },
    async end() {
      const exits = [...running].map((child) => once(child, "exit"));
      for (const child of running) child.kill("SIGKILL");
      await Promise.all(exits);
      rmSync(outfile, { force: true });
    },
  };
}

function sourceOf({ joins = false, ...times }: WorkerOptions): string {
  return `import { connectToInstances } from "@/lib/platform/instances/notify";
    import { registerDependencies } from "@/lib/runtime/wiring/register-dependencies";
    import { startWebhookDelivery } from "@/lib/webhooks/deliveries/deliver-webhooks";
    import { startReplays } from "@/lib/webhooks/replays/work-replays";
    registerDependencies();
    if (${joins}) await connectToInstances();
    startWebhookDelivery(${JSON.stringify(times)});
    startReplays();
    console.log("started");`;
}

function failEarly(): never {
  throw new Error("the worker ended before it had begun");
}
