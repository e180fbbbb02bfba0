import "server-only";
import { once } from "node:events";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { Connection } from "@/lib/adapters/transports/callback";
import { type CatchUp, createCatchUp } from "@/lib/adapters/transports/imsg/imsg-catch-up";
import type { ImsgChat } from "@/lib/adapters/transports/imsg/imsg-chats";
import { toHandle } from "@/lib/adapters/transports/imsg/imsg-handle";
import type { SendStatus } from "@/lib/adapters/transports/imsg/imsg-receipts";
import { ImsgRows } from "@/lib/adapters/transports/imsg/imsg-rows";
import { ImsgRunner } from "@/lib/adapters/transports/imsg/imsg-runner";
import { type ImsgMac, sendToMac } from "@/lib/adapters/transports/imsg/imsg-send";
import { ImsgSettings } from "@/lib/adapters/transports/imsg/imsg-settings";
import { LiveEvents } from "@/lib/adapters/transports/imsg/live-events";
import { SentMessages } from "@/lib/adapters/transports/imsg/sent-messages";
import { createLoggedSends, type LoggedSends } from "@/lib/adapters/transports/logged-sends";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Sink } from "@/lib/adapters/transports/sink";
import type { PolledPage, Running } from "@/lib/adapters/transports/transport";

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
  return new ImsgSession(line, ImsgSettings.parse(connection), sink);
}

/** The session of a line with its Mac. */
export class ImsgSession implements ImsgMac, Running {
  readonly line: LineRef;
  readonly settings: ImsgSettings;
  readonly sends: LoggedSends;
  readonly #stopping = new AbortController();
  readonly #rows: ImsgRows;
  readonly #catchUp: CatchUp;
  readonly #live: LiveEvents;
  readonly #imsg: ImsgRunner;
  readonly #sent: SentMessages;
  readonly #running: Promise<unknown>;

  constructor(line: LineRef, settings: ImsgSettings, sink: Sink) {
    const { signal } = this.#stopping;
    const read = (method: string, params: Record<string, unknown>) => this.#imsg.read(method, params);
    this.line = line;
    this.settings = settings;
    this.#rows = new ImsgRows(line, settings, read);
    this.#catchUp = createCatchUp(this.#rows, read);
    this.#live = new LiveEvents(line, this.#rows, sink);
    const begin = () => this.#catchUp.begin();
    this.#imsg = new ImsgRunner({ line, settings, sink, live: this.#live, begin, signal });
    this.#sent = new SentMessages(line, this.#imsg, sink);
    this.sends = this.#logSends();
    sessions().set(line.id, this);
    this.#running = Promise.all([this.#imsg.keepRunning(), this.#sent.keepChecking(signal)]);
  }

  async stop(): Promise<void> {
    if (sessions().get(this.line.id) === this) sessions().delete(this.line.id);
    this.#stopping.abort();
    await this.#imsg.stopProcess();
    await this.#running;
    await this.#live.settled;
  }

  /** Reads the rows after a cursor; null = from the start of the session. */
  readAfter(cursor: string | null, signal: AbortSignal): Promise<PolledPage> {
    this.#imsg.requireRunning();
    return untilAborted(() => this.#catchUp.read(cursor), signal);
  }

  call(method: string, params: Record<string, unknown>): Promise<unknown> {
    return this.#imsg.call(method, params);
  }

  isUsable(method: string): boolean {
    return this.#imsg.isUsable(method);
  }

  findDirect(handle: string): Promise<ImsgChat | null> {
    return this.#rows.chats.findDirect((identifier) => toHandle(this.line, identifier) === handle);
  }

  findStatus(guid: string): Promise<SendStatus | null> {
    return this.#sent.findStatus(guid);
  }

  noteSend(...send: Parameters<ImsgMac["noteSend"]>): ReturnType<ImsgMac["noteSend"]> {
    return this.#rows.echoes.addSend(...send);
  }

  #logSends(): LoggedSends {
    const sends = createLoggedSends(this.line, async (message, progress) => {
      await sendToMac(this, message, progress);
      for (const ref of progress.refs) this.#sent.track(ref);
    });
    return {
      ...sends,
      outcome: async (messageId) => this.#sent.outcomeOf(messageId, await sends.outcome(messageId)),
    };
  }
}

async function untilAborted<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  const aborted = once(signal, "abort").then(() => {
    throw new AdapterError("unknown_outcome", "the read was aborted");
  });
  aborted.catch(() => undefined);
  return Promise.race([work(), aborted]);
}
