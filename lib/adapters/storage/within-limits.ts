import "server-only";
import { type ByteStream, type PutLimits, SizeMismatch } from "@/lib/adapters/storage/object-store";

/** Passes a stream through. Throws SizeMismatch at the first byte beyond the limits, and at the end if bytes are missing. */
export async function* withinLimits(body: ByteStream, { leastBytes, mostBytes }: PutLimits): ByteStream {
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > mostBytes) throw new SizeMismatch("too_large");
    yield chunk;
  }
  if (sizeBytes < leastBytes) throw new SizeMismatch("too_small");
}
