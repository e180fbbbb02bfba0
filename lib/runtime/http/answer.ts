import "server-only";

/** A response as text, so that observers don't have to read a stream. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** null when there is no body. */
  text: string | null;
  /** The body of a streaming response; replaces `text`. */
  stream?: ReadableStream<Uint8Array>;
  /** The value that `text` of a successful response was serialized from. */
  result?: unknown;
  /** The code of a failure in the error table. */
  errorCode?: number;
  /** The bodies to store in the request log instead of the real ones. Without `request`, the real one. */
  logged?: { request?: string; answer: string };
}

export function toResponse({ status, headers, text, stream }: Answer): Response {
  return new Response(stream ?? text, { status, headers });
}
