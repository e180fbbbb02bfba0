import "server-only";
import type { FileHandle } from "node:fs/promises";
import { Writable } from "node:stream";
import { skipBytes } from "@/lib/adapters/storage/disk/skip-bytes";
import { releaseChunk } from "@/lib/platform/http/release-chunk";

/** Bytes that arrive during a write and are then written together, in one system call. */
const GATHERED_BYTES = 512 * 1024;

/** A stream that writes to a file from its start and releases the chunks. The caller flushes and closes the file. */
export function createFileSink(handle: FileHandle): Writable {
  const append = (chunks: readonly Uint8Array[], done: (error?: Error) => void) =>
    void writeAll(handle, chunks).then(() => done(), done);
  return new Writable({
    highWaterMark: GATHERED_BYTES,
    write: (chunk: Uint8Array, _, done) => append([chunk], done),
    writev: (gathered: { chunk: Uint8Array }[], done) =>
      append(
        gathered.map(({ chunk }) => chunk),
        done,
      ),
  });
}

async function writeAll(handle: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  // A signal or a nearly full disk can end a write early.
  for (let left = chunks; left.length > 0; ) {
    const { bytesWritten } = await handle.writev(left);
    left = skipBytes(left, bytesWritten);
  }
  for (const chunk of chunks) releaseChunk(chunk);
}
