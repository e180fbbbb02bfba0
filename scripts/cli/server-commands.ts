import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";

/** Adds `start` and `dev`, which run an instance in this terminal. */
export function addServerCommands(program: Command): void {
  program
    .command("start")
    .description("start an instance in this directory's .data (settings: environment variables)")
    .action(() => runInstance([]));
  program
    .command("dev")
    .description("start an instance with live reload of the pages, from a clone of the repository")
    .action(() => runInstance(["--dev"]));
}

/** Resolves when the instance has ended. Passes signals on, so that it can shut down cleanly. */
function runInstance(args: readonly string[]): Promise<void> {
  // This module is bundled to dist/.
  const start = fileURLToPath(new URL("../scripts/start.mjs", import.meta.url));
  const child = spawn(process.execPath, [start, ...args], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.on("exit", (code) => {
      process.exitCode = code ?? 1;
      resolve();
    });
  });
}
