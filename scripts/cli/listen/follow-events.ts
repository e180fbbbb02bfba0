import { setTimeout as sleep } from "node:timers/promises";
import { parseJson } from "@/scripts/cli/api-client";
import type { Failure } from "@/scripts/cli/cli-error";

/** The service sends data at least every 15 s, so a connection that is silent for longer is lost. */
const SILENT_MS = 45_000;
/** Pauses before a lost connection is made again; the last one repeats. */
export const RETRY_MS = [500, 1000, 2000, 5000, 10_000];

/** An error that a retry can't resolve. */
export class Refused extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

export interface FollowOptions {
  url: string;
  token: string;
  /** The query of GET /v3/events/stream. */
  query: Readonly<Record<string, string | undefined>>;
  /** Starts after this event number; undefined starts with new events. */
  last: string | undefined;
  /** Reports lost and new connections. */
  say(line: string): void;
}

export interface FollowedEvent {
  /** The number of the event. */
  id: string;
  /** The event type, or `ready`. */
  type: string;
  /** The text as sent. */
  data: string;
}

type ParsedEvent = Partial<FollowedEvent>;

/**
 * Yields the events of GET /v3/events/stream, including `ready`. Reconnects as often as needed and never ends. Throws
 * Refused for an error that only the caller can fix.
 */
export async function* followEvents({
  url,
  token,
  query,
  last,
  say,
}: FollowOptions): AsyncGenerator<FollowedEvent> {
  await installUndici();
  let position = last;
  for (let failures = 0; ; failures++) {
    try {
      for await (const event of openStream({ url, token, query, position })) {
        if (event.id !== undefined) position = event.id;
        if (event.type === "error") throw toError(event.data ?? "");
        if (event.type === "ready" && failures > 0) say("Reconnected.");
        failures = 0;
        if (event.type === "reset") say(`The log no longer has all events after ${position}: ${event.data}`);
        else if (event.type !== undefined)
          yield { id: position ?? "0", type: event.type, data: event.data ?? "" };
      }
      say("The server closed the connection. Reconnecting.");
    } catch (error) {
      if (error instanceof Refused) throw error;
      say(`Connection failed: ${reasonOf(error)}`);
    }
    await sleep(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]);
  }
}

/**
 * Makes `fetch` read the stream with the installed undici. The one inside Node.js 24 ends the process when a server closes
 * a connection whose response is being read slowly (undici issue 5360). Loaded here, because other commands don't need it.
 */
async function installUndici(): Promise<void> {
  const { Agent, EnvHttpProxyAgent, setGlobalDispatcher } = await import("undici");
  const options = { allowH2: false };
  setGlobalDispatcher(
    process.env.NODE_USE_ENV_PROXY === "1" ? new EnvHttpProxyAgent(options) : new Agent(options),
  );
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

type Stream = Pick<FollowOptions, "url" | "token" | "query"> & { position: string | undefined };

async function* openStream({ url, token, query, position }: Stream): AsyncGenerator<ParsedEvent> {
  const address = new URL("/v3/events/stream", url);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) address.searchParams.set(name, value);
  if (position !== undefined) address.searchParams.set("after", position);
  const silence = new AbortController();
  const watchdog = setTimeout(() => silence.abort(new Error("the connection stopped responding")), SILENT_MS);
  try {
    const response = await fetch(address, {
      headers: { authorization: `Bearer ${token}` },
      signal: silence.signal,
    });
    if (!response.ok || response.body === null) throw toError(await response.text());
    let rest = "";
    const decoder = new TextDecoder();
    for await (const bytes of response.body) {
      watchdog.refresh();
      const blocks = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) yield parseEvent(block);
    }
  } finally {
    clearTimeout(watchdog);
    silence.abort();
  }
}

/** Parses one server-sent event. Comments and position updates have no type. */
function parseEvent(block: string): ParsedEvent {
  const fields = new Map(
    block.split("\n").flatMap((line): [string, string][] => {
      const [, name = "", value = ""] = /^(\w+): (.*)$/.exec(line) ?? [];
      return name === "" ? [] : [[name, value]];
    }),
  );
  const [id, type, data] = [fields.get("id"), fields.get("event"), fields.get("data")];
  return {
    ...(id !== undefined && { id }),
    ...(type !== undefined && { type }),
    ...(data !== undefined && { data }),
  };
}

function toError(text: string): Error {
  const { error } = (parseJson(text) ?? {}) as { error?: Failure };
  if (error === undefined) return new Error(text.slice(0, 200));
  const { status = 500 } = error;
  const isLasting = status >= 400 && status < 500 && status !== 429;
  return isLasting ? new Refused(error) : new Error(`${error.message} (${error.code})`);
}
