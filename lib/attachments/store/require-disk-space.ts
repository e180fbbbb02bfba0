import "server-only";
import { statfs } from "node:fs/promises";
import type { ByteStream } from "@/lib/adapters/storage/object-store";
import { objectStore } from "@/lib/adapters/storage/registry";
import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors/errors";

const MIB = 1024 * 1024;
const CHECK_BYTES = 8 * MIB;

/**
 * Rejects uploads while the disk of DATA_DIR has less free space than DISK_RESERVE_MB, because the embedded database
 * is on the same disk. A bucket has no such limit. Errors: service_unavailable.
 */
export async function requireDiskSpace(): Promise<void> {
  const { DATA_DIR, DISK_RESERVE_MB } = env();
  if (DISK_RESERVE_MB === 0 || objectStore().name !== "disk") return;
  const { bavail, bsize } = await statfs(DATA_DIR);
  if (bavail * bsize < DISK_RESERVE_MB * MIB) {
    fail("service_unavailable", "the disk has no free space for uploads: retry later");
  }
}

/** Passes a stream through and fails with service_unavailable when the disk runs low meanwhile. */
export async function* guardDiskSpace(body: ByteStream): ByteStream {
  let unchecked = CHECK_BYTES;
  for await (const chunk of body) {
    unchecked += chunk.byteLength;
    if (unchecked > CHECK_BYTES) {
      await requireDiskSpace();
      unchecked = 0;
    }
    yield chunk;
  }
}
