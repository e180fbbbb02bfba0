import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "./find-free-port.mjs";
import { launchServer } from "./start-server.mjs";

const WORKER_READY_MS = 120_000;

/** Starts Trunkline's production server, or that of another version in `cwd`, as a worker. Resolves when the worker runs. */
export async function startWorker(env, cwd) {
  // A worker serves no HTTP, so its output shows when it runs.
  const settings = { ...env, ROLE: "worker", LOG_LEVEL: "info" };
  const worker = await launchServer(await findFreePort(), settings, cwd);
  const deadline = Date.now() + WORKER_READY_MS;
  while (!worker.output().includes("the worker runs")) {
    if (!worker.isRunning() || Date.now() > deadline) {
      await worker.kill();
      throw new Error(`the worker did not start:\n${worker.output()}`);
    }
    await sleep(20);
  }
  return worker;
}
