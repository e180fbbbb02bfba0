import "server-only";
import { HEADER_SIZE } from "@/lib/adapters/transports/smpp/pdu";

/**
 * A `message_payload` of 64 KiB takes less than 70,000 bytes. A longer PDU is read too, and its other parameters are
 * ignored: after an end of the connection, the SMS center would begin with the same PDU again.
 */
export const MAX_PDU_SIZE = 1024 * 1024;

/** Bytes that can't be the beginning of a PDU, so the position in the stream is lost. */
export class BrokenFrame extends Error {}

export interface FrameSplitter {
  /** Adds bytes of the stream and returns the frames that are complete. Throws BrokenFrame. */
  push(chunk: Buffer): Buffer[];
}

/** Splits a stream into PDUs, wherever its chunks end. No more than one PDU of `MAX_PDU_SIZE` is kept in memory. */
export function createFrameSplitter(): FrameSplitter {
  let chunks: Buffer[] = [];
  let size = 0;
  let wanted = 4;

  function take(count: number): Buffer {
    const [only] = chunks;
    const joined = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size);
    chunks = joined.length > count ? [joined.subarray(count)] : [];
    size -= count;
    return joined.subarray(0, count);
  }

  function peekSize(): number {
    const joined = chunks[0] !== undefined && chunks[0].length >= 4 ? chunks[0] : Buffer.concat(chunks, size);
    chunks = chunks[0] === joined ? chunks : [joined];
    const length = joined.readUInt32BE(0);
    if (length < HEADER_SIZE || length > MAX_PDU_SIZE) {
      throw new BrokenFrame(`a PDU can't have ${length} bytes`);
    }
    return length;
  }

  return {
    push(chunk) {
      const frames: Buffer[] = [];
      if (chunk.length === 0) return frames;
      chunks.push(chunk);
      size += chunk.length;
      while (size >= wanted) {
        const length = peekSize();
        if (size < length) {
          wanted = length;
          break;
        }
        frames.push(take(length));
        wanted = 4;
      }
      return frames;
    },
  };
}
