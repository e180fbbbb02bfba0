import "server-only";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { Connection } from "@/lib/adapters/transports/callback";
import { ImsgMessage, toEvents, toHandle } from "@/lib/adapters/transports/imsg/imsg-messages";
import { startImsg, stopImsg } from "@/lib/adapters/transports/imsg/imsg-process";
import { createReceiptTracker, SendStatus } from "@/lib/adapters/transports/imsg/imsg-receipts";
import { createRpc, type ImsgRpc, LaneBlocked } from "@/lib/adapters/transports/imsg/imsg-rpc";
import { type ImsgMac, sendToMac } from "@/lib/adapters/transports/imsg/imsg-send";
import { ImsgSettings } from "@/lib/adapters/transports/imsg/imsg-settings";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import { createLoggedSends, type LoggedSends } from "@/lib/adapters/transports/logged-sends";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Sink } from "@/lib/adapters/transports/sink";
import type { PolledPage, Running } from "@/lib/adapters/transports/transport";
import { createBackoff } from "@/lib/platform/backoff";
import { now } from "@/lib/platform/clock";
import { log } from "@/lib/platform/log";

/** A send waits for its verification, which takes up to 150 seconds. */
const SEND_MS = 180_000;
const READ_MS = 20_000;
const CHECK_MS = 15_000;
const RECEIPTS_MS = 500;
const RESTART_MS = { leastMs: 500, mostMs: 30_000 };
/** In all, they are shorter than the time that the outcome of a send may take. */
const STATUS_WAITS_MS = [0, 500, 1000, 2000, 4000, 8000, 10_000];
const PAGE = 200;

const Status = z.object({
  database: z.object({ ready: z.boolean() }),
  methods: z.array(z.string()),
});
const Newest = z.object({ chats: z.array(z.object({ id: z.int() })) });
const History = z.object({ messages: z.array(z.object({ id: z.int() })) });
const Page = z.object({
  messages: z.array(z.unknown()),
  next_rowid: z.int(),
  has_more: z.boolean(),
});
const BridgeEvent = z.object({
  event: z.object({ event: z.string(), data: z.object({ chatGuid: z.string() }) }),
});

/** The session of a line with its Mac. */
export interface ImsgSession extends ImsgMac {
  sends: LoggedSends;
  /** Reads the messages after a cursor; null = from the start of the session. */
  readAfter(cursor: string | null, signal: AbortSignal): Promise<PolledPage>;
}

const shared = globalThis as typeof globalThis & { trunklineImsg?: Map<string, ImsgSession> };

function sessions(): Map<string, ImsgSession> {
  shared.trunklineImsg ??= new Map();
  return shared.trunklineImsg;
}

/** The session of a line that is open in this process. Throws AdapterError `line_down` for a line without one. */
export function imsgSessionOf(lineId: string): ImsgSession {
  const session = sessions().get(lineId);
  if (session === undefined) throw new AdapterError("line_down", "the line is not connected to its Mac");
  return session;
}

/**
 * Keeps a process of imsg running for a line and starts it again when it ends. Messages arrive live, and polls find
 * those that were missed. Throws ZodError.
 */
export function openImsgSession(line: LineRef, connection: Connection, sink: Sink): Running {
  const settings = ImsgSettings.parse(connection);
  const stopping = new AbortController();
  const receipts = createReceiptTracker();
  let child: ChildProcessWithoutNullStreams | null = null;
  let rpc: ImsgRpc | null = null;
  let methods: ReadonlySet<string> = new Set();
  let isUp: boolean | null = null;
  let firstRowId: number | null = null;
  let delivering = Promise.resolve();

  async function keepRunning(): Promise<void> {
    const backoff = createBackoff(RESTART_MS);
    // Messages wait while the line is down. Otherwise a slow start would use up their attempts.
    await report(false);
    while (!stopping.signal.aborted) {
      try {
        await runImsg(() => backoff.reset());
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn({ err: error, lineId: line.id }, "imsg can't be used for a line");
      }
      if (stopping.signal.aborted) return;
      await report(false);
      await sleep(backoff.next(), undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  /** Runs one process of imsg until it ends or can't be used any more. Calls `onOpen` once it can be used. */
  async function runImsg(onOpen: () => void): Promise<void> {
    const started = startImsg(settings);
    child = started;
    const exited = Promise.race([once(started, "exit"), once(started, "error")]).catch(() => undefined);
    const opened: ImsgRpc = createRpc(started, (method, params) => notify(opened, method, params));
    try {
      const isReady = await begin(opened);
      // Sends wait until it is known which methods can be used.
      rpc = opened;
      await report(isReady);
      onOpen();
      await Promise.race([exited, watchHealth(opened)]);
    } finally {
      rpc = null;
      if (started.exitCode === null) await stopImsg(started);
    }
  }

  async function begin(to: ImsgRpc): Promise<boolean> {
    const isReady = await checkStatus(to, "initialize", { protocol_version: 1 });
    if (isReady) {
      firstRowId ??= await findNewest(to);
      await subscribe(to);
    }
    if (methods.has("bridge.events.subscribe")) await to.request("bridge.events.subscribe", {}, READ_MS);
    return isReady;
  }

  /** Returns whether the database is ready, and notes what can be used. */
  async function checkStatus(to: ImsgRpc, method: string, params: Record<string, unknown>): Promise<boolean> {
    const status = Status.parse(await to.request(method, params, READ_MS));
    methods = new Set(status.methods);
    return status.database.ready;
  }

  async function watchHealth(to: ImsgRpc): Promise<void> {
    for (;;) {
      await sleep(CHECK_MS, undefined, { signal: stopping.signal });
      const isReady = await checkStatus(to, "status", {});
      // A database that came back may be another file, whose messages need a subscription of their own.
      if (isReady && isUp === false) return;
      await report(isReady);
    }
  }

  async function report(next: boolean): Promise<void> {
    if (isUp === next) return;
    try {
      await sink.receive(line, [{ type: "line", up: next }]);
      isUp = next;
    } catch (error) {
      log.warn({ err: error, lineId: line.id }, "the state of a line could not be stored");
    }
  }

  const subscribe = (to: ImsgRpc) =>
    to.request("watch.subscribe", { attachments: true, include_reactions: true }, READ_MS);

  function notify(from: ImsgRpc, method: string, params: Record<string, unknown>): void {
    if (method === "message") deliver(readMessages([params.message], true));
    else if (method === "bridge.event") deliver(readTyping(params));
    // The messages after an overflow are found by the next poll.
    else if (method === "watch.overflow") subscribe(from).catch(() => undefined);
  }

  /** Stores events in their order. Messages that can't be stored now are found by a poll. */
  function deliver(events: InEvent[]): void {
    if (events.length === 0) return;
    delivering = delivering
      .then(() => sink.receive(line, events))
      .catch((error: unknown) => log.warn({ err: error, lineId: line.id }, "a live message was not stored"));
  }

  function readMessages(messages: readonly unknown[], isLive: boolean): InEvent[] {
    return messages.flatMap((message) => {
      const parsed = ImsgMessage.safeParse(message);
      if (parsed.success) return toEvents(line, settings, parsed.data, isLive);
      log.warn({ lineId: line.id, issues: parsed.error.issues.length }, "a message of imsg can't be read");
      return [];
    });
  }

  function readTyping(params: unknown): InEvent[] {
    const { event } = BridgeEvent.safeParse(params).data ?? {};
    const [, kind, identifier] = event?.data.chatGuid.split(";") ?? [];
    const from = kind === "-" ? toHandle(identifier ?? "") : null;
    const isOn = event?.event === "started-typing";
    if (from === null || (!isOn && event?.event !== "stopped-typing")) return [];
    return [{ type: "typing", ref: null, groupRef: null, from, at: now(), isOn }];
  }

  function requireRpc(): ImsgRpc {
    if (rpc === null) throw new AdapterError("line_down", "imsg is not running");
    return rpc;
  }

  function isUsable(method: string): boolean {
    requireRpc();
    return methods.has(method);
  }

  async function call(
    method: string,
    params: Record<string, unknown>,
    timeoutMs = SEND_MS,
  ): Promise<unknown> {
    const to = requireRpc();
    try {
      return await to.request(method, params, timeoutMs);
    } catch (error) {
      if (error instanceof LaneBlocked && child !== null) {
        rpc = null;
        void stopImsg(child);
      }
      throw error;
    }
  }

  async function checkReceipts(): Promise<void> {
    for (const ref of receipts.due()) {
      const status = SendStatus.parse(await call("message.send_status", { guid: ref }, READ_MS));
      const { events, store } = receipts.read(ref, status);
      if (events.length > 0) await sink.receive(line, events);
      store();
    }
  }

  async function keepCheckingReceipts(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (rpc !== null && methods.has("message.send_status")) {
        await checkReceipts().catch((error: unknown) =>
          log.debug({ err: error, lineId: line.id }, "receipts could not be read"),
        );
      }
      await sleep(RECEIPTS_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const mac: ImsgMac = { call, isUsable, settings };
  const sends = createLoggedSends(async (message, progress) => {
    await sendToMac(mac, message, progress);
    for (const ref of progress.refs) receipts.track(ref);
  });
  const session: ImsgSession = {
    ...mac,
    sends: { ...sends, outcome: (messageId) => outcomeOf(messageId) },
    async readAfter(cursor, signal) {
      if (firstRowId === null) throw new AdapterError("line_down", "imsg is not running");
      const since_rowid = cursor === null ? firstRowId : Number(cursor);
      const options = { limit: PAGE, attachments: true, include_reactions: true };
      const reading = call("messages.after", { since_rowid, ...options }, READ_MS);
      const page = Page.parse(await untilAborted(reading, signal));
      const events = readMessages(page.messages, false);
      return { events, cursor: String(page.next_rowid), more: page.has_more };
    },
  };

  /** A tracked send has the ID of its message, so Messages knows what became of it, even after a restart. */
  async function outcomeOf(messageId: string): ReturnType<LoggedSends["outcome"]> {
    const outcome = await sends.outcome(messageId);
    if (outcome.state !== "unknown" || (rpc !== null && !methods.has("message.send_status"))) return outcome;
    const status = await findStatus(messageId);
    if (status?.send_state !== "sent" && status?.send_state !== "delivered") return outcome;
    receipts.track(messageId);
    const service = status.service === "SMS" ? "SMS" : "iMessage";
    return { state: "accepted", accepted: { refs: [messageId], groupRef: null, service } };
  }

  /** Asks for the state of a message. imsg may be starting again. */
  async function findStatus(guid: string): Promise<z.infer<typeof SendStatus> | null> {
    for (const waitMs of STATUS_WAITS_MS) {
      await sleep(waitMs);
      const found = await call("message.send_status", { guid }, READ_MS).catch(() => null);
      if (found !== null) return SendStatus.parse(found);
    }
    return null;
  }

  sessions().set(line.id, session);
  const running = Promise.all([keepRunning(), keepCheckingReceipts()]);
  return {
    async stop() {
      if (sessions().get(line.id) === session) sessions().delete(line.id);
      stopping.abort();
      if (child !== null) await stopImsg(child);
      await running;
      await delivering;
    },
  };
}

/** The newest message of the database, after which a new line begins to read. */
async function findNewest(rpc: ImsgRpc): Promise<number> {
  const { chats } = Newest.parse(await rpc.request("chats.list", { limit: 1 }, READ_MS));
  const [chat] = chats;
  if (chat === undefined) return 0;
  const params = { chat_id: chat.id, limit: 1 };
  const { messages } = History.parse(await rpc.request("messages.history", params, READ_MS));
  return messages[0]?.id ?? 0;
}

async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  const aborted = once(signal, "abort").then(() => {
    throw new AdapterError("unknown_outcome", "the read was aborted");
  });
  aborted.catch(() => undefined);
  return Promise.race([work, aborted]);
}
