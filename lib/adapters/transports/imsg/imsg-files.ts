import "server-only";
import { constants, createReadStream } from "node:fs";
import { access, stat } from "node:fs/promises";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { readOverSsh } from "@/lib/adapters/transports/imsg/imsg-process";
import type { ImsgSettings } from "@/lib/adapters/transports/imsg/imsg-settings";

/** A file that is smaller than reported and was not written to for this time has another size than reported. */
const SETTLED_MS = 60_000;

/** The durable reference of a file of the Mac: the size that Messages reports, and its path. */
export function toSource(path: string, totalBytes: number): string {
  return `${Math.max(0, Math.trunc(totalBytes))} ${path}`;
}

/**
 * Opens a file of the Mac by its reference. Rejects when it is not there yet, can't be read, or still grows; the stream
 * rejects when it ends early. Nothing is opened before it is read.
 */
export async function openMacFile(
  { ssh_host }: ImsgSettings,
  source: string,
  signal?: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const [, size = "0", path = ""] = /^(\d+) (.*)$/s.exec(source) ?? [];
  if (path === "") throw new Error("Messages has no path of the file");
  if (ssh_host !== undefined) return readOverSsh(ssh_host, { path, leastBytes: Number(size), signal });
  const found = await stat(/* turbopackIgnore: true */ path);
  if (found.isDirectory()) throw new AdapterError("rejected", "the path is a directory");
  if (!found.isFile()) throw new Error("the path is no file");
  await access(/* turbopackIgnore: true */ path, constants.R_OK);
  if (found.size < Number(size) && Date.now() - found.mtimeMs < SETTLED_MS)
    throw new Error("the file is still arriving");
  return readLocal(path, found.size, signal);
}

async function* readLocal(path: string, bytes: number, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const chunk of createReadStream(/* turbopackIgnore: true */ path, { signal })) {
    read += chunk.length;
    yield chunk;
  }
  if (read < bytes) throw new Error("the file was cut while it was read");
}
