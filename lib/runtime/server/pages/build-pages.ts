import "server-only";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

/** A build of the pages in another process. */
export interface PagesBuilder {
  /** Resolves when the pages are built. Rejects with the end of the build's output. */
  finished: Promise<void>;
  /** Ends the build, with the programs that it started. Resolves when it has ended. */
  stop(): Promise<void>;
}

const COMMAND = [path.join("scripts", "build.mjs"), "--pages"];
const TAIL_CHARACTERS = 4000;

/** Builds the pages of the dashboard and the docs from the sources in the working directory. */
export function buildPages(command: readonly string[] = COMMAND): PagesBuilder {
  // A process group of its own, so that the build ends with everything it started. It also ends when the channel to this
  // process closes, which a killed process can't do itself.
  const detached = process.platform !== "win32";
  const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "pipe", "ipc"], detached });
  // The channel alone must not keep a finished process running.
  child.channel?.unref();
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-TAIL_CHARACTERS);
    });
  }
  const closed = once(child, "close");
  const finished = closed.then(([code]) => {
    if (code !== 0) throw new Error(`${command.join(" ")} ended with exit code ${code}:\n${output}`);
  });
  return {
    finished,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      endGroup(child);
      await closed.catch(() => undefined);
    },
  };
}

// SIGKILL, because Next finishes its current step on SIGTERM. The next start builds again from the sources.
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // The build has already ended.
  }
}
