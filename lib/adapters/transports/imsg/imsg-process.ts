import "server-only";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { ImsgSettings } from "@/lib/adapters/transports/imsg/imsg-settings";
import { env } from "@/lib/platform/env";

/** The pauses after the end of stdin and after SIGTERM, before the next step of a stop. */
const DRAIN_MS = 500;
const TERMINATE_MS = 5000;

/** The exit code of ssh for its own failures, such as a host that can't be reached. */
export const SSH_FAILED = 255;

const SSH_OPTIONS = ["-T", "-o", "BatchMode=yes", "-o", "ServerAliveInterval=15"];

/**
 * Starts `imsg rpc` on this machine, or on the Mac of the settings. Throws AdapterError `line_down` when the system
 * refuses to start it; some refusals, such as ENOENT, are reported by the `error` event instead.
 */
export function startImsg({ ssh_host }: ImsgSettings): ChildProcessWithoutNullStreams {
  if (ssh_host === undefined) return spawnPiped(env().IMSG_COMMAND, ["rpc"]);
  return spawnPiped("ssh", [...SSH_OPTIONS, ssh_host, quote(env().IMSG_COMMAND), "rpc"]);
}

function spawnPiped(command: string, args: readonly string[]): ChildProcessWithoutNullStreams {
  try {
    const child = spawn(command, args, { stdio: "pipe" });
    // Without a listener, these events would end this process.
    child.on("error", () => undefined);
    if (child.stdin === undefined) throw new Error("no file can be opened");
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => undefined);
    return child;
  } catch (error) {
    throw new AdapterError("line_down", `${command} can't be started: ${messageOf(error)}`);
  }
}

/** Ends stdin, so that imsg finishes its requests, and then the process, if it was started. */
export async function stopImsg(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.pid === undefined) return;
  const exited =
    child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : once(child, "exit");
  child.stdin.end();
  if (await within(DRAIN_MS, exited)) return;
  child.kill("SIGTERM");
  if (await within(TERMINATE_MS, exited)) return;
  child.kill("SIGKILL");
}

/** A file of the Mac, and the size from which on it is complete. */
interface RemoteFile {
  path: string;
  leastBytes: number;
  signal?: AbortSignal | undefined;
}

/**
 * Reads a file of the Mac over SSH. Rejects when it is no file that can be read, or is smaller and was written to within
 * the last minute.
 */
export async function* readOverSsh(
  host: string,
  { path, leastBytes, signal }: RemoteFile,
): AsyncGenerator<Uint8Array> {
  const script = `f=${quote(path)}; [ -f "$f" ] && [ -r "$f" ] || exit 66; [ "$(wc -c < "$f")" -ge ${leastBytes} ] || [ -n "$(find "$f" -mmin +1)" ] || exit 75; cat -- "$f"`;
  const child = spawnPiped("ssh", [...SSH_OPTIONS, host, script]);
  const stop = () => void child.kill();
  const ended = endOf(child);
  signal?.addEventListener("abort", stop);
  try {
    child.stdin.end();
    for await (const chunk of child.stdout) yield chunk;
    const end = await ended;
    if (end !== 0) throw new Error(`the file could not be read from the Mac: ssh ended with ${end}`);
  } finally {
    signal?.removeEventListener("abort", stop);
    stop();
  }
}

/**
 * Writes a file to a directory of the Mac that only its user can read, and returns its path. Deletes it after a day.
 * Throws AdapterError: `line_down` when the Mac can't be reached, and `rate_limited` when the file can't be read or
 * stored now.
 */
export async function writeMacFile(
  { ssh_host }: ImsgSettings,
  name: string,
  open: () => Promise<AsyncIterable<Uint8Array>>,
): Promise<string> {
  const content = await open().catch(refuseFile);
  const directory = `\${TMPDIR:-/tmp}/trunkline`;
  const script = `umask 077; mkdir -p "${directory}" && find "${directory}" -type f -mtime +1 -delete; f="${directory}/"${quote(name)} && cat > "$f" && printf %s "$f"`;
  const child =
    ssh_host === undefined
      ? spawnPiped("/bin/sh", ["-c", script])
      : spawnPiped("ssh", [...SSH_OPTIONS, ssh_host, script]);
  const ended = endOf(child);
  let path = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    path += text;
  });
  const failure = await pipeline(content, child.stdin).then(() => null, messageOf);
  const end = await ended;
  if (end !== 0) {
    const isReached = typeof end === "number" && end !== SSH_FAILED;
    const reason = `the file could not be written to the Mac: the command ended with ${end}`;
    throw new AdapterError(isReached ? "rate_limited" : "line_down", reason);
  }
  return failure === null ? path : refuseFile(failure);
}

function refuseFile(error: unknown): never {
  throw new AdapterError("rate_limited", `the file could not be read: ${messageOf(error)}`);
}

/** Resolves when a process has ended and its output was read: with its exit code, its signal or its error. */
function endOf(child: ChildProcessWithoutNullStreams): Promise<number | string> {
  child.stderr.resume();
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(code ?? signal ?? "an unknown end"));
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Quotes a word for the shell of the Mac. */
function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  return Promise.race([work.then(() => true), sleep(ms).then(() => false)]);
}
