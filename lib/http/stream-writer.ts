import "server-only";

/** What a reader may leave unread before it is cut off. */
const UNREAD_MOST_BYTES = 256 * 1024;
const encoder = new TextEncoder();

export interface StreamWriter {
  /** Hands a text to the reader. One that left too much unread is cut off instead. Nothing happens after the end. */
  write(text: string): void;
  /** Resolves when the reader has room for more, or the stream has ended. */
  room(): Promise<void>;
  close(): void;
  /** Aborted once the stream has ended, from either side. */
  closed: AbortSignal;
}

/** A stream of text for one reader, whose memory is bounded however slowly it reads. */
export function openStream(): { stream: ReadableStream<Uint8Array>; writer: StreamWriter } {
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
    new ByteLengthQueuingStrategy({ highWaterMark: UNREAD_MOST_BYTES }),
  );

  function close(): void {
    if (ended.signal.aborted) return;
    controller?.close();
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
      if (hasRoom()) controller?.enqueue(encoder.encode(text));
      else close();
    },
    async room() {
      if (hasRoom() || ended.signal.aborted) return;
      await new Promise<void>((resolve) => {
        giveRoom = resolve;
      });
    },
  };
  return { stream, writer };
}
