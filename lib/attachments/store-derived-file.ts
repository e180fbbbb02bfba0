import "server-only";
import { ObjectExists } from "@/lib/adapters/storage/object-store";
import { objectStore } from "@/lib/adapters/storage/registry";

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
