import "server-only";
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

/** A build of the pages in another process. */
export interface PagesBuilder {
  /** Resolves when the pages are built. Rejects with the end of the build's output. */
  finished: Promise<void>;
  /** Ends the build. */
  stop(): void;
}

const COMMAND = [path.join("scripts", "build.mjs"), "--pages"];
const TAIL_CHARACTERS = 4000;

/** Builds the pages of the dashboard and the docs from the sources in the working directory. */
export function buildPages(command: readonly string[] = COMMAND): PagesBuilder {
  const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-TAIL_CHARACTERS);
    });
  }
  const finished = once(child, "close").then(([code]) => {
    if (code !== 0) throw new Error(`${command.join(" ")} ended with exit code ${code}:\n${output}`);
  });
  return { finished, stop: () => void child.kill() };
}
