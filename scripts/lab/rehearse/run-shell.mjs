import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

const WAIT_MS = 180_000;
const STOP_MS = 30_000;
const TAIL = 20_000;

/** Starts shell commands in a folder, as a process group of their own. `output()` is the end of what they printed. */
export function startShell(script, { cwd, env = {} }) {
  const child = spawn("sh", ["-ec", script], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let tail = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      tail = (tail + text).slice(-TAIL);
    });
  }
  const exited = once(child, "exit");
  const signal = (name) => {
    try {
      process.kill(-child.pid, name);
    } catch {
      // All of its processes have exited.
    }
  };
  return {
    output: () => tail,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    /** Resolves when the commands have succeeded. */
    async finish() {
      const [code] = await exited;
      if (code !== 0) throw new Error(`${script.trim()} ended with exit code ${code}:\n${tail}`);
    },
    /** Ends the commands and everything that they started. */
    async stop() {
      signal("SIGTERM");
      await Promise.race([exited, sleep(STOP_MS, undefined, { ref: false })]);
      signal("SIGKILL");
    },
  };
}

/** Runs shell commands to their end. */
export async function runShell(script, options) {
  const shell = startShell(script, options);
  await shell.finish();
  return shell.output();
}

/** Waits until `check` returns a value other than null, or throws with the output of the shell. */
export async function waitFor(title, shell, check) {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const value = await check().catch(() => null);
    if (value !== null) return value;
    if (!shell.isRunning()) throw new Error(`${title}: the process ended:\n${shell.output()}`);
    if (Date.now() > deadline)
      throw new Error(`${title} did not happen in ${WAIT_MS / 1000} s:\n${shell.output()}`);
    await sleep(50);
  }
}
