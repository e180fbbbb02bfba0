import "server-only";
import type { Readable } from "node:stream";

const bodies = new WeakMap<Request, Readable>();

/** Connects a request with the Node stream that its body arrives on. The HTTP server calls this before the route. */
export function attachNodeBody(request: Request, body: Readable): void {
  bodies.set(request, body);
}

/**
 * The body of a request for `readChunks`: the Node stream if the HTTP server attached it, because a web stream costs
 * several times as much CPU per byte. Otherwise, for example under Next, the web stream. Read it only once.
 */
export function bodyOf(request: Request): Readable | ReadableStream<Uint8Array> | null {
  const body = bodies.get(request);
  // After a disconnect, only the request itself can still return a body that had arrived completely.
  return body === undefined || body.destroyed ? request.body : body;
}
