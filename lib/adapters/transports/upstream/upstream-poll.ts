import "server-only";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { type Connection, extendConnection } from "@/lib/adapters/transports/callback";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { PolledLine, PolledPage } from "@/lib/adapters/transports/transport";
import { type UpstreamApi, upstreamOf } from "@/lib/adapters/transports/upstream/upstream-api";
import { MESSAGE_NOT_FOUND } from "@/lib/adapters/transports/upstream/upstream-errors";
import { readEvent, unreadable } from "@/lib/adapters/transports/upstream/upstream-events";
import { checkLine, type UpstreamLine } from "@/lib/adapters/transports/upstream/upstream-line";
import { readChangedChats } from "@/lib/adapters/transports/upstream/upstream-pages";
import { isCode } from "@/lib/adapters/transports/upstream/upstream-send";
import { followShares, Share } from "@/lib/adapters/transports/upstream/upstream-shares";
import { readStream } from "@/lib/adapters/transports/upstream/upstream-stream";
import { keepSubscription } from "@/lib/adapters/transports/upstream/upstream-subscription";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";

const CHECK_MS = 30_000;
const WITH_WEBHOOKS_SECONDS = 30;
/** Without webhooks, a Trunkline is asked this often. The lists of another upstream are longer. */
const WITHOUT_WEBHOOKS_SECONDS = { trunkline: 2, other: 30 };
const DOWN_SECONDS = 3;
/** An upstream whose list of chats never ends must not stop the line. */
const MAX_LIST_PAGES = 500;
/** Pages of one look that are read without a pause. */
const QUICK_LIST_PAGES = 50;
/** An upstream that accepts no webhooks is asked again after this time. */
const SUBSCRIBE_AGAIN_MS = 60 * 60_000;

/** The state of a line that one poll passes to the next. */
const Cursor = z.object({
  /** The position in the event stream of a Trunkline. */
  after: z.int().nullable().default(null),
  /** The time up to which the lists of another upstream were read, in milliseconds. */
  since: z.int().nullable().default(null),
  /** The time up to which they were read by the look before. Messages of chats that changed are read from then on. */
  before: z.int().nullable().default(null),
  /** A look at the lists that takes several polls: when it began, and its next page. */
  look: z
    .object({ startedAt: z.int(), page: z.string(), pages: z.int().default(1) })
    .nullable()
    .default(null),
  checkedAt: z.int().nullable().default(null),
  isFlagged: z.boolean().default(false),
  /** When the upstream refused a webhook subscription. */
  refusedAt: z.int().nullable().default(null),
  shares: z.array(Share).default([]),
});

type Cursor = z.infer<typeof Cursor>;

/**
 * Checks the upstream line and its webhooks every 30 seconds, and reads the events since the last poll: from the event
 * stream of a Trunkline, otherwise from the newest pages. A line whose upstream can't be used is down, and is polled
 * every three seconds.
 */
export async function pollUpstream(
  line: PolledLine,
  connection: Connection,
  cursorText: string | null,
  signal: AbortSignal,
): Promise<PolledPage> {
  const cursor = readCursor(cursorText);
  try {
    return await poll(line, connection, cursor, signal);
  } catch (error) {
    if (signal.aborted || !isOutage(error)) throw error;
    const events: InEvent[] = [{ type: "line", up: false, reason: error.message }];
    return { ...toPage(events, { ...cursor, checkedAt: null }), pauseSeconds: DOWN_SECONDS };
  }
}

function isOutage(error: unknown): error is AdapterError {
  return error instanceof AdapterError && error.kind !== "rate_limited";
}

async function poll(
  line: PolledLine,
  connection: Connection,
  cursor: Cursor,
  signal: AbortSignal,
): Promise<PolledPage> {
  const startedAt = now();
  // A line that a lost response took down comes back with the next check.
  const isDue =
    line.isUp === false || cursor.checkedAt === null || startedAt.getTime() - cursor.checkedAt >= CHECK_MS;
  const unchecked = await upstreamOf(line, connection);
  const checked = isDue || unchecked.settings.kind === undefined;
  const upstream = checked ? await checkLine(unchecked, signal) : null;
  const api = await withKind(unchecked, signal);
  const page =
    api.settings.kind === "trunkline"
      ? await readTrunkline(api, cursor, signal)
      : await readOther(api, cursor, { startedAt, signal });
  if (upstream === null) return page.result;
  const webhooks = await keepWebhooks(api, page.cursor, signal);
  const shared = await followShares(api, page.cursor.shares);
  const isFlagged = upstream.isFlagged ?? cursor.isFlagged;
  return toPage(
    [...lineEvents(upstream, cursor), ...page.result.events, ...shared.events],
    { ...page.cursor, ...webhooks, shares: shared.shares, isFlagged, checkedAt: startedAt.getTime() },
    { more: page.result.more, pauseSeconds: pauseAfter(api, webhooks) },
  );
}

/** The upstream line's state. Its flag is reported when it changes. */
function lineEvents({ isFlagged, route }: UpstreamLine, cursor: Cursor): InEvent[] {
  const flag: InEvent[] =
    isFlagged === null || isFlagged === cursor.isFlagged ? [] : [{ type: "line_flag", isFlagged }];
  if (isFlagged === true)
    return [
      ...flag,
      { type: "line", up: false, route, reason: "the line is flagged in the upstream account" },
    ];
  return [...flag, { type: "line", up: true, route }];
}

/** Finds out once whether the upstream is a Trunkline, which can look up a message by its idempotency key. */
async function withKind(api: UpstreamApi, signal: AbortSignal): Promise<UpstreamApi> {
  if (api.settings.kind !== undefined) return api;
  const kind = (await answersKeys(api, signal)) ? "trunkline" : "other";
  const added = { kind };
  if (!(await extendConnection(api.line, api.connection, added)))
    throw new AdapterError("rate_limited", "the connection of the line has changed");
  return upstreamOf(api.line, { ...api.connection, ...added });
}

async function answersKeys(api: UpstreamApi, signal: AbortSignal): Promise<boolean> {
  const query = { idempotency_key: randomUUID() };
  try {
    await api.call("GET /v3/messages", { schema: z.unknown(), query, signal });
    return false;
  } catch (error) {
    if (isCode(error, MESSAGE_NOT_FOUND)) return true;
    if (error instanceof AdapterError && error.kind === "rejected") return false;
    throw error;
  }
}

interface ReadPage {
  cursor: Cursor;
  result: PolledPage;
}

async function readTrunkline(api: UpstreamApi, cursor: Cursor, signal: AbortSignal): Promise<ReadPage> {
  const { found, through, more } = await readStream(api, cursor.after, signal);
  const events: InEvent[] = [];
  for (const each of found) {
    if (typeof each === "string") events.push(unreadable("an event", each));
    else events.push(...(await readEvent(api, each)));
  }
  const next = { ...cursor, after: through, shares: sharesAfter(cursor.shares, events) };
  return { cursor: next, result: toPage(events, next, { more, pauseSeconds: pauseAfter(api, cursor) }) };
}

async function readOther(
  api: UpstreamApi,
  cursor: Cursor,
  { startedAt, signal }: { startedAt: Date; signal: AbortSignal },
): Promise<ReadPage> {
  const pauseSeconds = pauseAfter(api, cursor);
  // A line starts with what happens from its first poll on.
  if (cursor.since === null) {
    const next = { ...cursor, since: startedAt.getTime() };
    return { cursor: next, result: toPage([], next, { pauseSeconds }) };
  }
  const { look, since, before } = cursor;
  const place = {
    since: new Date(since),
    messagesSince: new Date(before ?? since),
    cursor: look?.page ?? null,
  };
  const read = await readChangedChats(api, place, signal).catch((error: unknown) => {
    if (look === null || !(error instanceof AdapterError) || error.kind !== "rejected") throw error;
    return null;
  });
  // The upstream no longer accepts the position within its list, so the look begins again.
  if (read === null) {
    log.warn({ lineId: api.line.id }, "the upstream refused the next page of its chats");
    const next = { ...cursor, look: null };
    return { cursor: next, result: toPage([], next, { pauseSeconds }) };
  }
  const began = look?.startedAt ?? startedAt.getTime();
  const pages = (look?.pages ?? 0) + 1;
  if (read.cursor !== null && pages < MAX_LIST_PAGES) {
    const next = { ...cursor, look: { startedAt: began, page: read.cursor, pages } };
    const more = pages < QUICK_LIST_PAGES;
    return { cursor: next, result: toPage(read.events, next, { more, pauseSeconds: 1 }) };
  }
  if (read.cursor !== null)
    log.warn({ lineId: api.line.id, pages }, "the upstream's list of chats has no end");
  const next = { ...cursor, look: null, since: began, before: since };
  return { cursor: next, result: toPage(read.events, next, { pauseSeconds }) };
}

function sharesAfter(shares: readonly Share[], events: readonly InEvent[]): Share[] {
  const active = new Map(shares.map((share) => [share.from, share]));
  for (const event of events) {
    if (event.type !== "location") continue;
    if (event.change === "stopped") active.delete(event.from);
    else active.set(event.from, { from: event.from, at: null });
  }
  return [...active.values()];
}

async function keepWebhooks(api: UpstreamApi, cursor: Cursor, signal: AbortSignal) {
  const { refusedAt } = cursor;
  if (refusedAt !== null && now().getTime() - refusedAt < SUBSCRIBE_AGAIN_MS) return { refusedAt };
  const webhooks = await keepSubscription(api, signal);
  if (webhooks.state === "refused") return { refusedAt: now().getTime() };
  // The connection has changed meanwhile: the next poll replaces the subscription, whose secret is lost.
  if (webhooks.state === "created") await extendConnection(api.line, api.connection, webhooks.added);
  return { refusedAt: null };
}

function pauseAfter({ settings }: UpstreamApi, { refusedAt }: Pick<Cursor, "refusedAt">): number {
  return refusedAt === null ? WITH_WEBHOOKS_SECONDS : WITHOUT_WEBHOOKS_SECONDS[settings.kind ?? "other"];
}

function readCursor(text: string | null): Cursor {
  return Cursor.parse(text === null ? {} : JSON.parse(text));
}

function toPage(
  events: InEvent[],
  cursor: Cursor,
  { more = false, pauseSeconds = WITH_WEBHOOKS_SECONDS }: { more?: boolean; pauseSeconds?: number } = {},
): PolledPage {
  return { events, cursor: JSON.stringify(cursor), more, pauseSeconds };
}
