import "server-only";
import type { RecordedRequest } from "@/lib/request-log/store/write-requests";

export interface RequestBuffer {
  add(request: RecordedRequest): void;
  /** Removes and returns the oldest requests, at most `most`. */
  take(most: number): RecordedRequest[];
  /** Puts requests back at the front after they could not be written. */
  putBack(requests: RecordedRequest[]): void;
  readonly size: number;
  /** The number of discarded requests since the last call. */
  takeDropped(): number;
}

/**
 * Buffers requests until they are written, in bounded memory: beyond `mostRows` or `mostChars` the oldest are
 * discarded.
 */
export function createRequestBuffer({
  mostRows,
  mostChars,
}: {
  mostRows: number;
  mostChars: number;
}): RequestBuffer {
  let rows: RecordedRequest[] = [];
  let chars = 0;
  let dropped = 0;

  // Discards a tenth at a time, because removing single rows from a long array is slow.
  function keepBounded(): void {
    if (rows.length <= mostRows && chars <= mostChars) return;
    dropped += remove(Math.ceil(rows.length / 10)).length;
    keepBounded();
  }

  function remove(count: number): RecordedRequest[] {
    const removed = rows.splice(0, count);
    for (const row of removed) chars -= charsOf(row);
    return removed;
  }

  return {
    add(request) {
      rows.push(request);
      chars += charsOf(request);
      keepBounded();
    },
    take: remove,
    putBack(requests) {
      rows = [...requests, ...rows];
      for (const request of requests) chars += charsOf(request);
      keepBounded();
    },
    get size() {
      return rows.length;
    },
    takeDropped() {
      const count = dropped;
      dropped = 0;
      return count;
    },
  };
}

function charsOf({ path, requestBody, answerBody }: RecordedRequest): number {
  return path.length + requestBody.length + answerBody.length;
}
