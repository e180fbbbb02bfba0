/** A server-sent event as received by a client. */
interface Frame {
  id: number;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary fields
  data: any;
}

export interface StreamReader {
  status: number;
  headers: Headers;
  /** All events so far, without `ready` and comments. */
  frames: Frame[];
  /** The text so far. */
  text(): string;
  isEnded(): boolean;
  close(): void;
}

/** Reads an API stream until it ends or is closed. Any other response is read as a single frame. */
export async function readStream(
  url: string,
  { token, lastEventId }: { token: string; lastEventId?: number },
): Promise<StreamReader> {
  const leave = new AbortController();
  const response = await fetch(url, {
    signal: leave.signal,
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastEventId === undefined ? {} : { "last-event-id": String(lastEventId) }),
    },
  });
  let text = "";
  let ended = false;
  const frames: Frame[] = [];
  const reading = read(response, (chunk) => {
    text += chunk;
    frames.splice(0, frames.length, ...framesOf(text));
  }).finally(() => {
    ended = true;
  });
  if (response.ok) await Promise.race([untilReady(() => text), reading]);
  else await reading;
  return {
    status: response.status,
    headers: response.headers,
    frames,
    text: () => text,
    isEnded: () => ended,
    close: () => leave.abort(),
  };
}

async function read(response: Response, hear: (chunk: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) hear(decoder.decode(chunk, { stream: true }));
  } catch {
    // The connection ended. Tests check the frames that arrived.
  }
}

async function untilReady(text: () => string): Promise<void> {
  while (!text().includes("event: ready\n")) await new Promise((resolve) => setTimeout(resolve, 5));
}

function framesOf(text: string): Frame[] {
  return text.split("\n\n").flatMap((block) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
    const data = field("data");
    const event = field("event") ?? "message";
    if (data === undefined || event === "ready" || !text.includes(`${block}\n\n`)) return [];
    return [{ id: Number(field("id") ?? Number.NaN), event, data: JSON.parse(data) }];
  });
}
