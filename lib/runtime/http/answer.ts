import "server-only";

/** What a request is answered with, as text, so that observers need not read a stream. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** null without a body. */
  text: string | null;
  /** In the text's place, an answer that goes on. */
  stream?: ReadableStream<Uint8Array>;
  /** What was written as the text of a success. */
  result?: unknown;
  /** The code of the error table, of a failure. */
  errorCode?: number;
}

export function toResponse({ status, headers, text, stream }: Answer): Response {
  return new Response(stream ?? text, { status, headers });
}
