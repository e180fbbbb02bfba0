import "server-only";
import { ObjectExists } from "@/lib/adapters/storage/object-store";
import { objectStore } from "@/lib/adapters/storage/registry";

/** Stored in place of a converted file that can't be made, so that the conversion is not tried again. */
const FAILED = Buffer.from([0]);

/** Remembers that a converted file can't be made. */
export async function storeDerivedFailure(key: string): Promise<void> {
  await storeDerivedFile(key, FAILED);
}

/**
 * The size of a converted file; null before the conversion, and `failed` if the file can't be converted. */
export async function findDerivedFile(key: string): Promise<number | "failed" | null> {
  const stored = await objectStore().head(key);
  if (stored === null) return null;
  return stored.sizeBytes <= FAILED.length ? "failed" : stored.sizeBytes;
}

/**
 * Stores a converted file beside its original. If two processes convert the file at the same time, the first result
 * is kept. Returns its size.
 */
export async function storeDerivedFile(key: string, made: Buffer): Promise<number> {
  const sizeBytes = made.length;
  const limits = { contentType: "application/octet-stream", leastBytes: sizeBytes, mostBytes: sizeBytes };
  const whole = async function* () {
    yield made;
  };
  try {
    return await objectStore().put(key, whole(), limits);
  } catch (error) {
    if (!(error instanceof ObjectExists)) throw error;
    return (await objectStore().head(key))?.sizeBytes ?? sizeBytes;
  }
}
