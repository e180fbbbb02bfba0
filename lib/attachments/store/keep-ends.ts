import "server-only";
import type { ByteStream } from "@/lib/adapters/storage/object-store";
import { SAMPLE_BYTES } from "@/lib/attachments/file-types/detect-type";
import { MAX_END_BYTES, type RangeReader } from "@/lib/attachments/file-types/detect-zip";

/** The two ends of a file, kept while its bytes pass. */
export interface KeptEnds {
  /** Passes a stream through. The ends are copies, because the consumer may release the chunks. */
  pass(body: ByteStream): ByteStream;
  /** Reads from the kept ends, and whatever lies between them from the stored file. */
  over(stored: RangeReader): RangeReader;
}

/** Keeps the bytes that `detectType` reads of most files, so that a stored file is not read again to detect its type. */
export function keepEnds(): KeptEnds {
  let head = Buffer.alloc(0);
  const tail = Buffer.allocUnsafe(2 * MAX_END_BYTES);
  let tailBytes = 0;

  function keep(chunk: Uint8Array): void {
    if (head.length < SAMPLE_BYTES) {
      head = Buffer.concat([head, chunk.subarray(0, SAMPLE_BYTES - head.length)]);
    }
    // Twice the kept bytes fit, so that they are moved at most once per 64 KB.
    const added = chunk.subarray(-MAX_END_BYTES);
    if (added.byteLength === MAX_END_BYTES) tailBytes = 0;
    if (tailBytes + added.byteLength > tail.length) {
      tail.copyWithin(0, tailBytes - MAX_END_BYTES, tailBytes);
      tailBytes = MAX_END_BYTES;
    }
    tail.set(added, tailBytes);
    tailBytes += added.byteLength;
  }

  return {
    async *pass(body) {
      for await (const chunk of body) {
        keep(chunk);
        yield chunk;
      }
    },
    over(stored) {
      const tailAt = stored.sizeBytes - tailBytes;
      return {
        sizeBytes: stored.sizeBytes,
        async read(start, length) {
          if (start + length <= head.length) return head.subarray(start, start + length);
          if (start >= tailAt) return tail.subarray(start - tailAt, start - tailAt + length);
          return stored.read(start, length);
        },
      };
    },
  };
}
