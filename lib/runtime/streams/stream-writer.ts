import "server-only";

/** Maximum number of unread bytes before a reader is disconnected. */
const MAX_UNREAD_BYTES = 256 * 1024;
/** Maximum time without a read while data is waiting. */
const STALL_MS = 10_000;
/** Time that written data stays available to the reader after the end. */
const LINGER_MS = 10_000;
const encoder = new TextEncoder();

export interface StreamWriter {
  /**
   * Sends text to the reader. A reader with too much unread data is disconnected instead. Does nothing after the end.
   */
  write(text: string | Uint8Array): void;
  /**
   * Resolves when the reader can accept more data or the stream has ended. A reader that stops reading is
   * disconnected.
   */
  drained(): Promise<void>;
  /** Ends the stream after sending `closingFrame`. */
  close(closingFrame?: string): void;
  /** Aborted once the stream has ended, from either side. */
  closed: AbortSignal;
}

export interface StreamOptions {
  /** The last event that a disconnected reader receives. */
  cutOff?: string;
  stallMs?: number;
  lingerMs?: number;
}

/** A text stream for one reader with bounded memory, however slowly the reader reads. */
export function openStream(options: StreamOptions = {}): {
  stream: ReadableStream<Uint8Array>;
  writer: StreamWriter;
} {
  const { cutOff, stallMs = STALL_MS, lingerMs = LINGER_MS } = options;
  const ended = new AbortController();
  let giveRoom: () => void = () => undefined;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  function end(): void {
    ended.abort();
    giveRoom();
  }

  const stream = new ReadableStream<Uint8Array>(
    {
      start: (started) => {
        controller = started;
      },
      pull: () => giveRoom(),
      cancel: end,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_UNREAD_BYTES }),
  );

  function close(closingFrame?: string): void {
    if (ended.signal.aborted) return;
    if (closingFrame !== undefined) controller?.enqueue(encoder.encode(closingFrame));
    controller?.close();
    // A connection whose client does not read would keep the buffer forever. No effect once the client has read the
    // end.
    setTimeout(
      () => controller?.error(new Error("a client did not read the end of its stream")),
      lingerMs,
    ).unref();
    end();
  }

  function hasRoom(): boolean {
    return (controller?.desiredSize ?? 0) > 0;
  }

  const writer: StreamWriter = {
    closed: ended.signal,
    close,
    write(text) {
      if (ended.signal.aborted) return;
      if (hasRoom()) controller?.enqueue(typeof text === "string" ? encoder.encode(text) : text);
      else close(cutOff);
    },
    async drained() {
      if (hasRoom() || ended.signal.aborted) return;
      const stalled = setTimeout(() => close(cutOff), stallMs);
      await new Promise<void>((resolve) => {
        giveRoom = resolve;
      });
      clearTimeout(stalled);
    },
  };
  return { stream, writer };
}
