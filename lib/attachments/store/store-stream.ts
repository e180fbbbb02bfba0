import "server-only";
import type { ByteStream, PutLimits } from "@/lib/adapters/storage/object-store";
import { objectStore } from "@/lib/adapters/storage/registry";
import type { RangeReader } from "@/lib/attachments/file-types/detect-zip";
import { keepEnds } from "@/lib/attachments/store/keep-ends";
import { createRangeReader } from "@/lib/attachments/store/settle-upload";

/**
 * Stores a stream in one pass. Returns a reader of the stored file that has both ends in memory, for `detectType`.
 * Errors: as `ObjectStore.put`; then nothing is stored.
 */
export async function storeStream(key: string, body: ByteStream, limits: PutLimits): Promise<RangeReader> {
  const ends = keepEnds();
  const sizeBytes = await objectStore().put(key, ends.pass(body), limits);
  return ends.over(createRangeReader(objectStore(), key, sizeBytes));
}
