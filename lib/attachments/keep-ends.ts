import "server-only";
import type { ByteStream } from "@/lib/adapters/storage/object-store";
import { SAMPLE_BYTES } from "@/lib/attachments/detect-type";
import { MAX_END_BYTES, type RangeReader } from "@/lib/attachments/detect-zip";

/** The two ends of a file, kept while its bytes pass. */
export interface KeptEnds {
  /** Passes a stream through. Only the last 64 KB and the chunk that they begin in stay in memory. */
  pass(body: ByteStream): ByteStream;
  /** Reads from the kept ends, and whatever lies between them from the stored file. */
  over(stored: RangeReader): RangeReader;
}

/** Keeps the bytes that `detectType` reads of most files, so that a stored file is not read again to detect its type. */
export function keepEnds(): KeptEnds {
  let head = Buffer.alloc(0);
  const last: Uint8Array[] = [];
  let lastBytes = 0;

  function keep(chunk: Uint8Array): void {
    if (head.length < SAMPLE_BYTES) {
      head = Buffer.concat([head, chunk.subarray(0, SAMPLE_BYTES - head.length)]);
    }
    last.push(chunk);
    lastBytes += chunk.byteLength;
    for (let [oldest] = last; oldest && lastBytes - oldest.byteLength >= MAX_END_BYTES; [oldest] = last) {
      last.shift();
      lastBytes -= oldest.byteLength;
    }
  }

  return {
    async *pass(body) {
      for await (const chunk of body) {
        keep(chunk);
        yield chunk;
      }
    },
    over(stored) {
      const tail = Buffer.concat(last);
      const tailAt = stored.sizeBytes - tail.length;
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
