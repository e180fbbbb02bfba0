import "server-only";
import { randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createFileSink } from "@/lib/adapters/storage/disk/file-sink";
import {
  type ByteRange,
  type ByteStream,
  ObjectExists,
  type ObjectStore,
  type PutLimits,
  requireKey,
  type StoredObject,
} from "@/lib/adapters/storage/object-store";
import { signPut, verifyPut } from "@/lib/adapters/storage/sign-put";
import { withinLimits } from "@/lib/adapters/storage/within-limits";
import { log } from "@/lib/platform/telemetry/log";

/** Bytes per read: every chunk costs a thread-pool task and a pass through each stream. */
const PIECE_BYTES = 512 * 1024;
const LEFTOVER_MS = 24 * 60 * 60 * 1000;

/** Stores objects as files in a folder. An object appears completely or not at all, even after a crash. */
export function createDiskStore(root: string): ObjectStore {
  const arriving = path.join(root, "arriving");
  removeLeftovers(arriving).catch((error: unknown) =>
    log.warn({ err: error }, "old uploads were not removed"),
  );

  const fileOf = (key: string) => objectFile(root, key);

  return {
    name: "disk",
    signPut,
    verifyPut,

    async put(key, body, limits) {
      const file = fileOf(key);
      const part = path.join(arriving, randomUUID());
      await mkdir(arriving, { recursive: true, mode: 0o700 });
      try {
        const sizeBytes = await writeDurably(part, body, limits);
        await moveInto(part, file);
        return sizeBytes;
      } finally {
        await rm(part, { force: true });
      }
    },

    async get(key, range) {
      const file = fileOf(key);
      const sizeBytes = await sizeOf(file);
      return sizeBytes === null ? null : { body: readFrom(file, range), sizeBytes };
    },

    async head(key) {
      const sizeBytes = await sizeOf(fileOf(key));
      return sizeBytes === null ? null : { sizeBytes };
    },

    async delete(key) {
      await rm(fileOf(key), { force: true });
    },

    list: () => listFiles(path.join(root, "kept")),
  };
}

/** The file of an object. Spreads objects over folders, so that none of them gets too large: the end of an id is random. */
export function objectFile(root: string, key: string): string {
  const parts = requireKey(key).split("/");
  const name = parts.pop() ?? "";
  return path.join(root, "kept", ...parts, name.slice(-2), name);
}

async function writeDurably(file: string, body: ByteStream, limits: PutLimits): Promise<number> {
  const handle = await open(file, "wx", 0o600);
  try {
    await pipeline(withinLimits(body, limits), createFileSink(handle));
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

// Unlike a rename, a link never replaces an existing file.
async function moveInto(part: string, file: string): Promise<void> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await link(part, file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EEXIST" ? new ObjectExists() : error;
  });
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

// The file is opened by the first read, so a body that is never read holds no file handle.
async function* readFrom(file: string, range: ByteRange | undefined): ByteStream {
  const handle = await open(file, "r");
  yield* handle.createReadStream({ ...range, highWaterMark: PIECE_BYTES });
}

async function sizeOf(file: string): Promise<number | null> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

// Each folder of files is one page. The folders are named for the last characters of the file names.
async function* listFiles(root: string, prefix: readonly string[] = []): AsyncGenerator<StoredObject[]> {
  const folder = path.join(root, ...prefix);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) yield* listFiles(root, [...prefix, entry.name]);
  const files = entries.filter((entry) => entry.isFile());
  const found = files.map(async ({ name }) => {
    const { mtime, size } = await stat(path.join(folder, name));
    return { key: [...prefix.slice(0, -1), name].join("/"), sizeBytes: size, storedAt: mtime };
  });
  if (found.length > 0)
    yield (await Promise.allSettled(found)).flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}

// Removes files that a killed process was writing.
async function removeLeftovers(arriving: string): Promise<void> {
  for (const name of await readdir(arriving).catch(() => [])) {
    const file = path.join(arriving, name);
    const { mtimeMs } = await stat(file);
    if (Date.now() - mtimeMs > LEFTOVER_MS) await rm(file, { force: true });
  }
}
