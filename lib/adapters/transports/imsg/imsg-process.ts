import "server-only";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { ImsgSettings } from "@/lib/adapters/transports/imsg/imsg-settings";
import { env } from "@/lib/platform/env";

/** The pauses after the end of stdin and after SIGTERM, before the next step of a stop. */
const DRAIN_MS = 500;
const TERMINATE_MS = 5000;

const SSH_OPTIONS = ["-T", "-o", "BatchMode=yes", "-o", "ServerAliveInterval=15"];

/**
 * Starts `imsg rpc` on this machine, or on the Mac of the settings. Throws AdapterError `line_down` when the system
 * refuses to start it. A command that is missing is reported by the event `error` instead.
 */
export function startImsg({ ssh_host }: ImsgSettings): ChildProcessWithoutNullStreams {
  try {
    if (ssh_host === undefined) return spawn(env().IMSG_COMMAND, ["rpc"], { stdio: "pipe" });
    return spawn("ssh", [...SSH_OPTIONS, ssh_host, quote(env().IMSG_COMMAND), "rpc"], { stdio: "pipe" });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AdapterError("line_down", `imsg can't be started: ${reason}`);
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

/** Opens a file of the Mac. */
export function openMacFile({ ssh_host }: ImsgSettings, path: string): AsyncIterable<Uint8Array> {
  if (ssh_host === undefined) return createReadStream(path);
  const child = spawn("ssh", [...SSH_OPTIONS, ssh_host, "cat", "--", quote(path)], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  return readAll(child);
}

async function* readAll(child: ReturnType<typeof spawn>): AsyncGenerator<Uint8Array> {
  const exited = once(child, "exit");
  for await (const chunk of child.stdout ?? []) yield chunk;
  const [code] = await exited;
  if (code !== 0) throw new Error(`the file could not be read from the Mac: ssh ended with ${code}`);
}

/** Writes a file to a directory of the Mac that only its user can read, and returns its path. Deletes it after a day. */
export async function writeMacFile(
  { ssh_host }: ImsgSettings,
  name: string,
  content: AsyncIterable<Uint8Array>,
): Promise<string> {
  const directory = `\${TMPDIR:-/tmp}/trunkline`;
  const script = `umask 077; mkdir -p "${directory}" && find "${directory}" -type f -mtime +1 -delete; f="${directory}/"${quote(name)} && cat > "$f" && printf %s "$f"`;
  const child =
    ssh_host === undefined
      ? spawn("/bin/sh", ["-c", script], { stdio: "pipe" })
      : spawn("ssh", [...SSH_OPTIONS, ssh_host, script], { stdio: "pipe" });
  const exited = once(child, "exit");
  child.stdin.on("error", () => undefined);
  let path = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    path += text;
  });
  for await (const chunk of content) {
    if (!child.stdin.write(chunk)) await once(child.stdin, "drain");
  }
  child.stdin.end();
  const [code] = await exited;
  if (code !== 0) throw new Error(`the file could not be written to the Mac: the command ended with ${code}`);
  return path;
}

/** Quotes a word for the shell of the Mac. */
function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  return Promise.race([work.then(() => true), sleep(ms).then(() => false)]);
}
