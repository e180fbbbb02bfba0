import "server-only";

/** A response as text, so that observers need not read a stream. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** null without a body. */
  text: string | null;
  /** A streaming response, instead of the text. */
  stream?: ReadableStream<Uint8Array>;
  /** The text of a successful response. */
  result?: unknown;
  /** The code of the error table, of a failure. */
  errorCode?: number;
}

export function toResponse({ status, headers, text, stream }: Answer): Response {
  return new Response(stream ?? text, { status, headers });
}
