import "server-only";
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import path from "node:path";
import { MAX_UPLOAD_BYTES } from "@/lib/attachments/file-types/file-limits";
import { FairSlots } from "@/lib/platform/tasks/fair-slots";
import { log } from "@/lib/platform/telemetry/log";

/** Optional programs, and the effects when they are not installed. */
const WITHOUT = {
  ffmpeg: "CAF audio is delivered unchanged instead of as MP4, and videos have no previews",
  "heif-convert": "HEIC photos have no previews",
} as const;

type Tool = keyof typeof WITHOUT;

/** The limits of a program. A program that exceeds one is terminated. */
interface ToolLimits {
  /** CPU seconds. The wall clock may show four times as many, because other programs need the processors too. */
  seconds: number;
  /** Address space, in bytes. */
  memoryBytes: number;
  /** Size of each file it writes, in bytes. */
  outputBytes: number;
}

const MIB = 1024 * 1024;
const LIMITS: ToolLimits = { seconds: 30, memoryBytes: 2048 * MIB, outputBytes: MAX_UPLOAD_BYTES };
const MAX_ERROR_TEXT = 1000;
const WALL_PER_CPU = 4;

// A shell sets the limits and then replaces itself with the program. `-f` counts blocks of 512 bytes, `-v` blocks of
// 1024. On systems without an address space limit, the other limits still apply.
const SHELL = "/bin/sh";
const LIMITED =
  'ulimit -c 0; ulimit -t "$1" && ulimit -f "$2" || exit 1; ulimit -v "$3" 2>/dev/null; shift 3; exec "$@"';

/** This process runs at most two programs at the same time, and one for each account, however many files arrive. */
const slots = new FairSlots({ total: 2, perOwner: 1, waitingPerOwner: 1000 });

const missing = new Set<Tool>();

/** For whom a program runs, and until when. */
export interface ToolRun {
  /** The account whose file it is. */
  accountId: string;
  /** Ends the program, and its wait for a place. */
  signal?: AbortSignal;
  limits?: Partial<ToolLimits>;
}

/**
 * Runs a program with an empty environment and limits on time, memory and output. Returns false when it is not
 * installed, which is logged once. Rejects when it fails, exceeds a limit or is aborted.
 */
export function runTool(
  tool: Tool,
  args: readonly string[],
  { accountId, signal, limits }: ToolRun,
): Promise<boolean> {
  return slots.run(accountId, () => {
    signal?.throwIfAborted();
    return run(tool, args, { ...LIMITS, ...limits }, signal);
  });
}

function run(
  tool: Tool,
  args: readonly string[],
  limits: ToolLimits,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const program = findProgram(tool);
  if (program === null) {
    logMissing(tool);
    return Promise.resolve(false);
  }
  return new Promise((resolve, reject) => {
    const child = spawn(SHELL, ["-c", LIMITED, SHELL, ...toUlimits(limits), program, ...args], {
      stdio: ["ignore", "ignore", "pipe"],
      // The service's own environment contains secrets. The cast is needed because Next's types require NODE_ENV.
      env: {} as NodeJS.ProcessEnv,
      timeout: limits.seconds * 1000 * WALL_PER_CPU,
      killSignal: "SIGKILL",
      ...(signal !== undefined && { signal }),
    });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      if (said.length < MAX_ERROR_TEXT) said += chunk.toString("utf8");
    });
    child.on("error", reject);
    child.on("close", (code, signal) =>
      code === 0 ? resolve(true) : reject(new Error(`${tool} ended with ${code ?? signal}: ${said}`)),
    );
  });
}

function toUlimits({ seconds, memoryBytes, outputBytes }: ToolLimits): string[] {
  return [Math.ceil(seconds), Math.ceil(outputBytes / 512), Math.ceil(memoryBytes / 1024)].map(String);
}

function findProgram(tool: Tool): string | null {
  // biome-ignore lint/style/noProcessEnv: the system's PATH locates programs, not a setting of Trunkline
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.map((folder) => path.join(folder, tool)).find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function logMissing(tool: Tool): void {
  if (missing.has(tool)) return;
  missing.add(tool);
  log.warn(`${tool} is not installed: ${WITHOUT[tool]}`);
}
