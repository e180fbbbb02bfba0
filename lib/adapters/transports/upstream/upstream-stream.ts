import "server-only";
import type { Readable } from "node:stream";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { UpstreamApi } from "@/lib/adapters/transports/upstream/upstream-api";
import { Envelope } from "@/lib/adapters/transports/upstream/upstream-envelope";
import { toUpstreamError } from "@/lib/adapters/transports/upstream/upstream-errors";
import { log } from "@/lib/platform/telemetry/log";

const MAX_EVENTS = 100;
/** A single event is far smaller. */
const MAX_FRAME_CHARACTERS = 4_000_000;
const VERSION = "2026-02-03";

/** The events of a Trunkline after a position. */
interface StreamPage {
  /** A string is an event that can't be read. */
  found: (Envelope | string)[];
  /** The position after them; null when the stream named none. */
  through: number | null;
  /** More events are waiting. */
  more: boolean;
}

/**
 * Reads the events of the upstream line after a position, in their order and without gaps; from now on if the position
 * is null. Returns when the stream has caught up, or after 100 events. Throws AdapterError.
 */
export async function readStream(
  api: UpstreamApi,
  after: number | null,
  signal: AbortSignal,
): Promise<StreamPage> {
  const enough = new AbortController();
  const body = await api.open(
    "/v3/events/stream",
    {
      phone_numbers: api.number,
      version: VERSION,
      ...(after !== null && { after: String(after) }),
    },
    AbortSignal.any([signal, enough.signal]),
  );
  body.on("error", () => undefined);
  const page: StreamPage = { found: [], through: after, more: false };
  try {
    for await (const frame of readFrames(body)) {
      if (frame.event === "error") throw toUpstreamError(503, parse(frame.data), undefined);
      if (frame.event === "reset")
        log.warn({ lineId: api.line.id }, "events of the upstream are no longer kept");
      else if (frame.event !== "ready" && frame.data !== "") page.found.push(readEnvelope(frame.data));
      if (frame.id !== null) page.through = frame.id;
      if (frame.event === "ready") return page;
      if (page.found.length >= MAX_EVENTS) return { ...page, more: true };
    }
  } catch (error) {
    if (error instanceof AdapterError) throw error;
    throw new AdapterError("line_down", `the event stream of the upstream was cut off: ${error}`);
  } finally {
    enough.abort();
  }
  throw new AdapterError("line_down", "the event stream of the upstream ended early");
}

function readEnvelope(data: string): Envelope | string {
  return Envelope.safeParse(parse(data)).data ?? data;
}

interface Frame {
  id: number | null;
  event: string | null;
  data: string;
}

/** The server-sent events of a response. */
async function* readFrames(body: Readable): AsyncGenerator<Frame> {
  let text = "";
  for await (const chunk of body.setEncoding("utf8")) {
    text += chunk;
    const frames = text.split("\n\n");
    text = frames.pop() ?? "";
    for (const frame of frames) yield toFrame(frame);
    if (text.length > MAX_FRAME_CHARACTERS) {
      throw new AdapterError("line_down", "the upstream sent an event that is too large");
    }
  }
}

function toFrame(text: string): Frame {
  const frame: Frame = { id: null, event: null, data: "" };
  for (const line of text.split("\n")) {
    const [, name, value = ""] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    if (name === "id" && /^\d{1,15}$/.test(value)) frame.id = Number(value);
    if (name === "event") frame.event = value;
    if (name === "data") frame.data += value;
  }
  return frame;
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}
