import "server-only";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { Connection } from "@/lib/adapters/transports/callback";
import { explainFailure, problemOf, UNREADABLE } from "@/lib/adapters/transports/imsg/check-imsg";
import { createCatchUp } from "@/lib/adapters/transports/imsg/imsg-catch-up";
import { toService } from "@/lib/adapters/transports/imsg/imsg-chats";
import { toHandle } from "@/lib/adapters/transports/imsg/imsg-handle";
import { startImsg, stopImsg } from "@/lib/adapters/transports/imsg/imsg-process";
import { createReceiptTracker, SendStatus } from "@/lib/adapters/transports/imsg/imsg-receipts";
import { createRows } from "@/lib/adapters/transports/imsg/imsg-rows";
import { createRpc, type ImsgRpc, LaneBlocked } from "@/lib/adapters/transports/imsg/imsg-rpc";
import { type ImsgMac, sendToMac } from "@/lib/adapters/transports/imsg/imsg-send";
import { ImsgSettings } from "@/lib/adapters/transports/imsg/imsg-settings";
import { createSubscriptions } from "@/lib/adapters/transports/imsg/imsg-subscriptions";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import { createLoggedSends, type LoggedSends } from "@/lib/adapters/transports/logged-sends";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Sink } from "@/lib/adapters/transports/sink";
import type { PolledPage, Running } from "@/lib/adapters/transports/transport";
import { log } from "@/lib/platform/telemetry/log";
import { createBackoff } from "@/lib/platform/time/backoff";
import { now } from "@/lib/platform/time/clock";

/** A send waits for its verification, which takes up to 150 seconds. */
const SEND_MS = 180_000;
const READ_MS = 20_000;
const CHECK_MS = 15_000;
const RECEIPTS_MS = 500;
const RESTART_MS = { leastMs: 500, mostMs: 30_000 };
/** In all, they are shorter than the time that the outcome of a send may take. */
const STATUS_WAITS_MS = [0, 500, 1000, 2000, 4000, 8000, 10_000];

const Status = z.object({
  database: z.object({ ready: z.boolean() }),
  methods: z.array(z.string()),
});
const BridgeEvent = z.object({
  event: z.object({ event: z.string(), data: z.object({ chatGuid: z.string() }) }),
});

/** The session of a line with its Mac. */
export interface ImsgSession extends ImsgMac {
  line: LineRef;
  sends: LoggedSends;
  /** Reads the rows after a cursor; null = from the start of the session. */
  readAfter(cursor: string | null, signal: AbortSignal): Promise<PolledPage>;
}

const shared = globalThis as typeof globalThis & { trunklineImsg?: Map<string, ImsgSession> };

function sessions(): Map<string, ImsgSession> {
  shared.trunklineImsg ??= new Map();
  return shared.trunklineImsg;
}

/**
 * The session of a line that is open in this process. Throws AdapterError `line_down` for a line without one, or whose
 * session is that of another connection.
 */
export function imsgSessionOf({ id, connectionNumber }: LineRef): ImsgSession {
  const session = sessions().get(id);
  const isSame = connectionNumber === undefined || session?.line.connectionNumber === connectionNumber;
  if (session === undefined || !isSame)
    throw new AdapterError("line_down", "the line is not connected to its Mac");
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
  const rows = createRows(line, settings, (method, params) => call(method, params, READ_MS));
  const catchUp = createCatchUp(rows, (method, params) => call(method, params, READ_MS));
  let child: ChildProcessWithoutNullStreams | null = null;
  let rpc: ImsgRpc | null = null;
  let methods: ReadonlySet<string> = new Set();
  let reported: { up: boolean; reason: string | null } | null = null;
  let delivering = Promise.resolve();

  async function keepRunning(): Promise<void> {
    const backoff = createBackoff(RESTART_MS);
    // Messages wait while the line is down. Otherwise a slow start would use up their attempts.
    await report(false, "imsg is starting.");
    while (!stopping.signal.aborted) {
      const reason = await runImsg(() => backoff.reset()).catch((error: unknown) => problemOf(error));
      if (stopping.signal.aborted) return;
      log.warn({ lineId: line.id, reason }, "imsg can't be used for a line");
      await report(false, reason);
      await sleep(backoff.next(), undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  /**
   * Runs one process of imsg until it ends or can't be used any more, and returns why. Calls `onOpen` once it can be
   * used.
   */
  async function runImsg(onOpen: () => void): Promise<string> {
    const started = startImsg(settings);
    child = started;
    const ended = Promise.race([once(started, "exit"), once(started, "error")]).catch((error: unknown) => [
      error,
    ]);
    const subscriptions = createSubscriptions({
      request: (method, params) => opened.request(method, params, READ_MS),
      isUsable: (method) => methods.has(method),
      signal: stopping.signal,
    });
    const opened: ImsgRpc = createRpc(started, (method, params) => {
      if (method === "message") takeLive(params.message, subscriptions.noteCursor);
      else if (method === "bridge.event") deliver(async () => readTyping(params));
      else subscriptions.ended(method, params);
    });
    try {
      const isReady = await checkStatus(opened, "initialize", { protocol_version: 1 });
      rpc = opened;
      if (isReady) await subscriptions.watch(await catchUp.begin());
      await subscriptions.events();
      await report(isReady, isReady ? null : UNREADABLE);
      onOpen();
      await Promise.race([ended, watchHealth(opened, subscriptions.events), subscriptions.failed]);
      return await explainFailure({ child: started, ended, settings }, new Error("imsg has to start again."));
    } catch (error) {
      if (started.exitCode === null && started.signalCode === null && started.pid !== undefined) {
        return problemOf(error);
      }
      return explainFailure({ child: started, ended, settings }, error);
    } finally {
      rpc = null;
      if (started.exitCode === null) await stopImsg(started);
    }
  }

  /** Returns whether the database is ready, and notes what can be used. */
  async function checkStatus(to: ImsgRpc, method: string, params: Record<string, unknown>): Promise<boolean> {
    const status = Status.parse(await to.request(method, params, READ_MS));
    methods = new Set(status.methods);
    return status.database.ready;
  }

  async function watchHealth(to: ImsgRpc, subscribeEvents: () => Promise<void>): Promise<void> {
    for (;;) {
      await sleep(CHECK_MS, undefined, { signal: stopping.signal });
      const isReady = await checkStatus(to, "status", {});
      // A database that came back may be another file, whose messages need a subscription of their own.
      if (isReady && reported?.up === false) return;
      // The bridge may have been started since.
      await subscribeEvents();
      await report(isReady, isReady ? null : UNREADABLE);
    }
  }

  async function report(up: boolean, reason: string | null): Promise<void> {
    if (reported?.up === up && reported.reason === reason) return;
    try {
      await sink.receive(line, [{ type: "line", up, ...(reason !== null && { reason }) }]);
      reported = { up, reason };
    } catch (error) {
      log.warn({ err: error, lineId: line.id }, "the state of a line could not be stored");
    }
  }

  /** Stores events in their order. Messages that can't be stored now are found by a poll. */
  function deliver(read: () => Promise<InEvent[]>): void {
    delivering = delivering
      .then(async () => {
        const events = await read();
        if (events.length > 0) await sink.receive(line, events);
      })
      .catch((error: unknown) => log.warn({ err: error, lineId: line.id }, "a live message was not stored"));
  }

  function takeLive(message: unknown, noteCursor: (cursor: number) => void): void {
    const read = rows.parse([message]);
    for (const { cursor } of read) if (cursor !== undefined) noteCursor(cursor);
    const since = performance.now();
    deliver(() => rows.readLive(read, since));
  }

  function readTyping(params: unknown): InEvent[] {
    const { event } = BridgeEvent.safeParse(params).data ?? {};
    const [, kind, identifier] = event?.data.chatGuid.split(";") ?? [];
    const from = kind === "-" ? toHandle(line, identifier ?? "") : null;
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

  const mac: ImsgMac = {
    call,
    isUsable,
    settings,
    findDirect: (handle) => rows.chats.findDirect((identifier) => toHandle(line, identifier) === handle),
    findStatus: readStatus,
    noteSend: rows.echoes.addSend,
  };
  const sends = createLoggedSends(async (message, progress) => {
    await sendToMac(mac, message, progress);
    for (const ref of progress.refs) receipts.track(ref);
  });
  const session: ImsgSession = {
    ...mac,
    line,
    sends: { ...sends, outcome: (messageId) => outcomeOf(messageId) },
    readAfter(cursor, signal) {
      requireRpc();
      return untilAborted(() => catchUp.read(cursor), signal);
    },
  };

  /** A tracked send has the ID of its message, so Messages knows what became of it, even after a restart. */
  async function outcomeOf(messageId: string): ReturnType<LoggedSends["outcome"]> {
    const outcome = await sends.outcome(messageId);
    if (outcome.state !== "unknown" || (rpc !== null && !methods.has("message.send_status"))) return outcome;
    const status = await waitForStatus(messageId);
    if (status?.send_state !== "sent" && status?.send_state !== "delivered") return outcome;
    const ref = status.guid ?? messageId;
    receipts.track(ref);
    const service = toService(status.service) ?? "iMessage";
    return { state: "accepted", accepted: { refs: [ref], groupRef: null, service } };
  }

  /** Asks for the state of a message. imsg may be starting again. */
  async function waitForStatus(guid: string): Promise<SendStatus | null> {
    for (const waitMs of STATUS_WAITS_MS) {
      await sleep(waitMs);
      const found = await readStatus(guid).catch(() => undefined);
      if (found !== undefined) return found;
    }
    return null;
  }

  /** The state of a message; null when Messages has none with this GUID. */
  async function readStatus(guid: string): Promise<SendStatus | null> {
    const status = SendStatus.parse(await call("message.send_status", { guid }, READ_MS));
    return status.status_fields === null && status.send_state === "pending" ? null : status;
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

async function untilAborted<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  const aborted = once(signal, "abort").then(() => {
    throw new AdapterError("unknown_outcome", "the read was aborted");
  });
  aborted.catch(() => undefined);
  return Promise.race([work(), aborted]);
}
