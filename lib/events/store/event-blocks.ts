import "server-only";

// Indexes of events contain a block instead of each event's number or time. PostgreSQL stores equal keys of an index once,
// so an entry takes a tenth of the space. A query sorts by the block and, within a block, by the number or time. The
// texts must match the indexes of events exactly (docs/schema.md).

/** SQL for the block of an event number: 4,096 consecutive numbers. */
export function seqBlock(seq: string): string {
  return `(${seq} >> 12)`;
}

/** SQL for the block of an event number in its chat: 65,536 consecutive numbers, because a chat has few of them. */
export function chatBlock(seq: string): string {
  return `(${seq} >> 16)`;
}

/** SQL for the block of an event's time: ten seconds. */
export function timeBlock(time: string): string {
  return `date_bin(interval '10 seconds', ${time}, timestamptz '1970-01-01 00:00:00+00')`;
}

/** SQL for a condition that `column` is the trace ID. The index contains only its beginning, which is its time. */
export function isTrace(column: string, traceId: string): string {
  return `left(${column}, 10) = left(${traceId}, 10) and ${column} = ${traceId}`;
}
