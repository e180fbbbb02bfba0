import "server-only";

/** An event as the text of a server-sent event; null leaves it out for this reader. */
export type Telling = string | Uint8Array | null;

/** One server-sent event; its data is written as JSON on one line. */
export function serverSentEvent({ id, type, data }: { id?: number; type?: string; data: unknown }): string {
  const name = type === undefined ? "" : `event: ${type}\n`;
  const place = id === undefined ? "" : `id: ${id}\n`;
  return `${place}${name}data: ${JSON.stringify(data)}\n\n`;
}
