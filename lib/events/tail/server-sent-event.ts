import "server-only";

/** An event as server-sent event text; null omits it for this reader. */
export type StreamFrame = string | Uint8Array | null;

/** Formats one server-sent event, with its data as JSON on one line. */
export function serverSentEvent({ id, type, data }: { id?: number; type?: string; data: unknown }): string {
  const name = type === undefined ? "" : `event: ${type}\n`;
  const place = id === undefined ? "" : `id: ${id}\n`;
  return `${place}${name}data: ${JSON.stringify(data)}\n\n`;
}
