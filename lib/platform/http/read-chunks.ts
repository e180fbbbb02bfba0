import "server-only";
import { finished, Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import { BODY_MS, tooSlow } from "@/lib/platform/http/read-body";
import { ownChunk } from "@/lib/platform/http/release-chunk";

/** Bytes that arrive while the consumer works, so that the network and the disk do not wait for each other. */
const AHEAD_BYTES = 256 * 1024;

/**
 * Yields the bytes of an upload as they arrive. Throws body_too_slow when the consumer has waited for `withinMs` without
 * any, and the stream's error when the connection is lost. If the consumer stops early, a web stream is canceled. The rest
 * of a Node stream is discarded as it arrives, because its connection still carries the response. The consumer owns the
 * chunks of a Node stream (`releaseChunk`).
 */
export async function* readChunks(
  body: Readable | ReadableStream<Uint8Array> | null,
  withinMs: number = BODY_MS,
): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const source = body instanceof Readable ? body : Readable.fromWeb(body as WebStream<Uint8Array>);
  const arriving = readAhead(source, source === body, withinMs);
  try {
    for (let chunks = await arriving.take(); chunks !== null; chunks = await arriving.take()) yield* chunks;
  } finally {
    arriving.stop();
    if (source !== body) source.on("error", () => undefined).destroy();
  }
}

/** Collects chunks as they arrive. `take` waits for at least one, and returns null at the end of the stream. */
function readAhead(source: Readable, isOwned: boolean, withinMs: number) {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let end: { error: Error | null } | null = null;
  let waiting: PromiseWithResolvers<void> | null = null;
  // One timer for all chunks: a timer and an error for each would cost more than reading it.
  const timer = setTimeout(() => waiting?.reject(tooSlow(withinMs)), withinMs);
  const forget = finished(source, { writable: false }, (error) => {
    end = { error: error ?? null };
    waiting?.resolve();
  });
  source.on("data", onData);

  function onData(chunk: Uint8Array): void {
    if (isOwned) ownChunk(chunk);
    held.push(chunk);
    heldBytes += chunk.byteLength;
    if (heldBytes >= AHEAD_BYTES) source.pause();
    waiting?.resolve();
  }

  async function take(): Promise<Uint8Array[] | null> {
    if (held.length === 0 && end === null) {
      waiting = Promise.withResolvers();
      timer.refresh();
      await waiting.promise;
      waiting = null;
    }
    const chunks = held;
    [held, heldBytes] = [[], 0];
    if (chunks.length > 0) {
      source.resume();
      return chunks;
    }
    if (end?.error) throw end.error;
    return null;
  }

  function stop(): void {
    clearTimeout(timer);
    forget();
    source.off("data", onData).resume();
  }

  return { take, stop };
}
