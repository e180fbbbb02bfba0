import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { CliError } from "@/scripts/cli/cli-error";
import { whenParentEnds } from "@/scripts/when-parent-ends.mjs";

/** Adds `start` and `dev`, which run an instance in this terminal. */
export function addServerCommands(program: Command): void {
  program
    .command("start")
    .description("start an instance in this directory's .data (settings: environment variables)")
    .action(() => runInstance([]));
  program
    .command("dev")
    .description("start an instance with live reload of the pages, from a clone of the repository")
    .action(() => {
      if (!existsSync(scriptOf("build.mjs"))) throw new CliError("usage", NO_SOURCES);
      return runInstance(["--dev"]);
    });
}

const NO_SOURCES =
  "The npm package contains no sources to reload. Run `trunkline start`, or `trunkline dev` in a clone of the repository.";

/** The path of a script beside dist/, to which this module is bundled. */
function scriptOf(name: string): string {
  return fileURLToPath(new URL(`../scripts/${name}`, import.meta.url));
}

/** Resolves when the instance has ended. Passes signals on, so that it can shut down cleanly. */
function runInstance(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [scriptOf("start.mjs"), ...args], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  whenParentEnds(() => child.kill("SIGTERM"));
  return new Promise((resolve) => {
    child.on("exit", (code) => {
      process.exitCode = code ?? 1;
      resolve();
    });
  });
}
