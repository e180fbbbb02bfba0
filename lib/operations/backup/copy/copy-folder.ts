import "server-only";
import type { Dirent } from "node:fs";
import { copyFile, link, mkdir, open, readdir, stat } from "node:fs/promises";
import path from "node:path";
import { mapLimited } from "@/lib/platform/tasks/map-limited";

const CONCURRENCY = 4;

interface CopyOptions {
  /** Whether an entry is left out, by its path relative to the source. A folder that is left out is created empty. */
  skip?: (relative: string) => boolean;
  /** A copy of an earlier time. Files that it has with the same size are linked instead of copied. */
  unchangedIn?: string;
}

/** The files that a copy contains. */
export interface Copied {
  count: number;
  bytes: number;
}

/**
 * Copies the files below a folder that other processes change meanwhile: files that disappear are left out. Files that
 * the target has already are not copied again. Every copied file is on disk when this resolves.
 */
export async function copyFolder(from: string, to: string, options: CopyOptions = {}): Promise<Copied> {
  const copied = { count: 0, bytes: 0 };
  await copyBelow({ from, to, ...options }, "", copied);
  return copied;
}

async function copyBelow(
  copy: CopyOptions & { from: string; to: string },
  relative: string,
  copied: Copied,
): Promise<void> {
  await mkdir(path.join(copy.to, relative), { recursive: true, mode: 0o700 });
  const entries = await ignoreMissing(readdir(path.join(copy.from, relative), { withFileTypes: true }), []);
  const files: Dirent[] = [];
  for (const entry of entries) {
    const inner = path.join(relative, entry.name);
    const isSkipped = copy.skip?.(inner) ?? false;
    if (entry.isDirectory() && isSkipped)
      await mkdir(path.join(copy.to, inner), { recursive: true, mode: 0o700 });
    else if (entry.isDirectory()) await copyBelow(copy, inner, copied);
    else if (entry.isFile() && !isSkipped) files.push(entry);
  }
  const results = await mapLimited(CONCURRENCY, files, async ({ name }) => {
    const bytes = await ignoreMissing(copyOne(copy, path.join(relative, name)), null);
    if (bytes === null) return;
    copied.count++;
    copied.bytes += bytes;
  });
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

async function copyOne(copy: CopyOptions & { from: string; to: string }, relative: string): Promise<number> {
  const [source, target] = [path.join(copy.from, relative), path.join(copy.to, relative)];
  const { size } = await stat(source);
  if (copy.unchangedIn !== undefined) {
    if ((await sizeOf(target)) === size) return size;
    const earlier = path.join(copy.unchangedIn, relative);
    if ((await sizeOf(earlier)) === size) {
      await link(earlier, target);
      return size;
    }
  }
  await copyFile(source, target);
  const handle = await open(target, "r+");
  try {
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

async function sizeOf(file: string): Promise<number | null> {
  return ignoreMissing(
    stat(file).then(({ size }) => size),
    null,
  );
}

async function ignoreMissing<Value, Otherwise>(
  reading: Promise<Value>,
  otherwise: Otherwise,
): Promise<Value | Otherwise> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return otherwise;
    throw error;
  }
}
