import "server-only";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { ByteStream } from "@/lib/adapters/storage/object-store";

/** Writes a file to a private folder on disk while `work` runs, for tools that must seek in their input. */
export async function withTempFile<Result>(
  body: ByteStream,
  work: (source: string, folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(path.join(tmpdir(), "trunkline-convert-"));
  try {
    const source = path.join(folder, "source");
    await pipeline(body, createWriteStream(source));
    return await work(source, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
