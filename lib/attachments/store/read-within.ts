import "server-only";
import { EventEmitter } from "node:events";
import type { ByteStream } from "@/lib/adapters/storage/object-store";

/**
 * Opens the stream of a vendor and passes it through until the signal aborts. From the moment it is open, the stream has
 * a listener of its errors: one that fails before it is read must not end the process. A stream that hangs is destroyed.
 */
export async function readWithin(
  signal: AbortSignal,
  open: (signal: AbortSignal) => Promise<ByteStream>,
): Promise<ByteStream> {
  const opening = open(signal).then(listen);
  opening.then(
    (body) => signal.aborted && discard(body),
    () => undefined,
  );
  return pass(await beforeAbort(opening, signal), signal);
}

function listen(body: ByteStream): ByteStream {
  if (body instanceof EventEmitter) body.on("error", () => undefined);
  return body;
}

async function* pass(body: ByteStream, signal: AbortSignal): ByteStream {
  const chunks = body[Symbol.asyncIterator]();
  let isAtEnd = false;
  try {
    for (;;) {
      const next = await beforeAbort(chunks.next(), signal);
      if (next.done === true) {
        isAtEnd = true;
        return;
      }
      yield next.value;
    }
  } finally {
    // Not awaited: the end of a stream that hangs may never come.
    if (!isAtEnd) {
      discard(body);
      chunks.return?.()?.catch(() => undefined);
    }
  }
}

function discard(body: ByteStream): void {
  if ("destroy" in body && typeof body.destroy === "function") body.destroy();
}

function beforeAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error("the file did not arrive in time", { cause: signal.reason }));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
