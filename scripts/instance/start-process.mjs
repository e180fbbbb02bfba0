import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const READY_MS = 120_000;
const STOP_MS = 20_000;
const TAIL_CHARACTERS = 4000;

const running = new Set();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/**
 * Starts `node <args>`, or another `command`, in the repository's root or in `cwd`. Resolves once `readyUrl` responds without a
 * server error. Ends the process when this process ends. Rejects with the end of the output if the process exits first.
 */
export async function startProcess({ command = process.execPath, args, env, cwd = ROOT, readyUrl }) {
  const launched = launchProcess({ command, args, env, cwd });
  const deadline = Date.now() + READY_MS;
  while (!(await answers(readyUrl))) {
    if (!launched.isRunning()) throw new Error(`${args.join(" ")} ended:\n${launched.output()}`);
    if (Date.now() > deadline) {
      await launched.stop();
      throw new Error(`${args.join(" ")} did not get ready:\n${launched.output()}`);
    }
    await sleep(25);
  }
  return launched;
}

/** Like `startProcess`, without waiting until it is ready. */
export function launchProcess({ command = process.execPath, args, env, cwd = ROOT }) {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const exited = once(child, "exit").then(() => running.delete(child));
  let tail = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      tail = (tail + text).slice(-TAIL_CHARACTERS);
    });
  }

  return {
    pid: child.pid,
    output: () => tail,
    isRunning: () => running.has(child),
    /** Kills the process immediately, like a power failure. */
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    /** Asks the process to exit, and kills it after a timeout. */
    async stop() {
      child.kill("SIGTERM");
      const insist = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
      await exited;
      clearTimeout(insist);
    },
  };
}

async function answers(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
    await response.arrayBuffer();
    return response.status < 500;
  } catch {
    return false;
  }
}
