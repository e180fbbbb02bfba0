import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { type EventFilter, matchesFilter } from "@/lib/events/event-filter";
import { toEventNotice } from "@/lib/events/event-notice";
import { type LoggedEvent, selectAccountEvents } from "@/lib/events/logged-event";
import { tailEvents } from "@/lib/events/tail-events";
import { openStream, type StreamWriter } from "@/lib/http/stream-writer";
import { sql } from "@/lib/platform/db";
import { log } from "@/lib/platform/log";

const HEARTBEAT_MS = 15_000;
const CATCH_UP_PAGE = 200;
const WAITING_MOST = 5000;
const RETRY_MS = 1000;

export interface EventStreamOptions {
  accountId: string;
  filter: EventFilter;
  /** The last event the reader has; null begins now. */
  after: number | null;
  /** Ends the stream: the client left, or the process is to stop. */
  signal: AbortSignal;
  /** Asked at every heartbeat: whether the reader may go on. */
  mayGoOn(): Promise<boolean>;
}

/**
 * The account's events as server-sent events: first those after `after`, then each as it happens, in order and without
 * a gap. An event `ready` says that all that happens from now on will arrive. A reader that does not keep up is cut
 * off; it comes back with Last-Event-ID and misses nothing.
 */
export function eventStream(options: EventStreamOptions): ReadableStream<Uint8Array> {
  const { stream, writer } = openStream();
  options.signal.addEventListener("abort", () => writer.close(), { once: true });
  void run(options, writer)
    .catch((error: unknown) => log.warn({ err: error }, "an event stream broke off"))
    .finally(() => writer.close());
  return stream;
}

async function run(options: EventStreamOptions, writer: StreamWriter): Promise<void> {
  const { accountId, filter, after } = options;
  const waiting: LoggedEvent[] = [];
  let live = false;
  const wanted = (event: LoggedEvent) => event.accountId === accountId && matchesFilter(event, filter);

  const tail = await tailEvents((events) => {
    for (const event of events.filter(wanted)) {
      if (live) writer.write(sse(event));
      else if (waiting.push(event) > WAITING_MOST) writer.close();
    }
  });
  try {
    writer.write(`retry: ${RETRY_MS}\n\n`);
    if (after !== null) await catchUp({ accountId, after, through: tail.from }, wanted, writer);
    // Those that arrive meanwhile are appended to what is being walked through.
    for (const event of waiting) await writePatiently(writer, event);
    live = true;
    writer.write(`event: ready\nid: ${waiting.at(-1)?.seq ?? Math.max(after ?? 0, tail.from)}\ndata: {}\n\n`);
    await keepAlive(options, writer);
  } finally {
    tail.stop();
  }
}

async function catchUp(
  range: { accountId: string; after: number; through: number },
  wanted: (event: LoggedEvent) => boolean,
  writer: StreamWriter,
): Promise<void> {
  let after = range.after;
  let page: LoggedEvent[];
  do {
    if (writer.closed.aborted) return;
    page = await selectAccountEvents(sql, { ...range, after, limit: CATCH_UP_PAGE });
    for (const event of page.filter(wanted)) await writePatiently(writer, event);
    after = page.at(-1)?.seq ?? range.through;
  } while (page.length === CATCH_UP_PAGE);
}

async function writePatiently(writer: StreamWriter, event: LoggedEvent): Promise<void> {
  await writer.room();
  writer.write(sse(event));
}

async function keepAlive({ mayGoOn }: EventStreamOptions, writer: StreamWriter): Promise<void> {
  while (!writer.closed.aborted) {
    await sleep(HEARTBEAT_MS, undefined, { signal: writer.closed, ref: false }).catch(() => undefined);
    if (!writer.closed.aborted && !(await mayGoOn())) return;
    writer.write(": still here\n\n");
  }
}

function sse(event: LoggedEvent): string {
  return `id: ${event.seq}\ndata: ${JSON.stringify(toEventNotice(event))}\n\n`;
}
