import "server-only";
import { spawn } from "node:child_process";
import { log } from "@/lib/platform/log";
import { oneAtATime } from "@/lib/platform/one-at-a-time";

/** Programs that are used where they are installed, and what goes without them. */
const WITHOUT = {
  ffmpeg: "CAF audio is delivered as it is, not as MP4, and films have no previews",
  "heif-convert": "HEIC photos have no previews",
} as const;

type Tool = keyof typeof WITHOUT;

const TOOL_SECONDS = 60;
const SAID_MOST = 1000;

/** However many files come at once, this process runs so many programs. */
const AT_ONCE = 2;

const missing = new Set<Tool>();
let turn = 0;

/** Runs a program; false when it is not installed, which is logged once. Rejects when it fails or takes a minute. */
export function runTool(tool: Tool, args: readonly string[]): Promise<boolean> {
  turn = (turn + 1) % AT_ONCE;
  return oneAtATime(`tools ${turn}`, () => run(tool, args));
}

function run(tool: Tool, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(tool, args, {
      stdio: ["ignore", "ignore", "pipe"],
      timeout: TOOL_SECONDS * 1000,
      killSignal: "SIGKILL",
    });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      if (said.length < SAID_MOST) said += chunk.toString("utf8");
    });
    child.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") return reject(error);
      logMissing(tool);
      resolve(false);
    });
    child.on("close", (code) =>
      code === 0 ? resolve(true) : reject(new Error(`${tool} ended with ${code}: ${said}`)),
    );
  });
}

function logMissing(tool: Tool): void {
  if (missing.has(tool)) return;
  missing.add(tool);
  log.warn(`${tool} is not installed: ${WITHOUT[tool]}`);
}
