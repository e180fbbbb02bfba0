import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { Connection } from "@/lib/adapters/transports/callback";
import { createLineState, type LineState } from "@/lib/adapters/transports/line-state";
import { createLoggedSends, type LoggedSends } from "@/lib/adapters/transports/logged-sends";
import type { Outbound } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Sink } from "@/lib/adapters/transports/sink";
import type { Running } from "@/lib/adapters/transports/transport";
import {
  checkAccount,
  createMessage,
  OptedOut,
  TwilioFailed,
} from "@/lib/adapters/transports/twilio/twilio-api";
import { toForms } from "@/lib/adapters/transports/twilio/twilio-form";
import { TwilioSettings } from "@/lib/adapters/transports/twilio/twilio-settings";
import { createBackoff } from "@/lib/platform/time/backoff";
import { now } from "@/lib/platform/time/clock";

const CHECK_MS = { leastMs: 1000, mostMs: 30_000 };
const STOP_WAIT_MS = 50;
const MAX_STOP_WAITS = 100;

const shared = globalThis as typeof globalThis & { trunklineTwilio?: Map<string, TwilioSession> };

function sessions(): Map<string, TwilioSession> {
  shared.trunklineTwilio ??= new Map();
  return shared.trunklineTwilio;
}

/** The sends of a line whose session is open in this process, unless it is that of another connection. */
export function twilioSendsOf({ id, connectionNumber }: LineRef): LoggedSends | undefined {
  const open = sessions().get(id);
  const isSame = connectionNumber === undefined || open?.line.connectionNumber === connectionNumber;
  return isSame ? open?.sends : undefined;
}

/**
 * Opens the session of a line. Twilio has no connection that stays open: a session means that one process sends for the
 * line, which knows its sends, because Twilio has no idempotency keys. The line is down while Twilio can't be reached,
 * refuses the credentials, the account or the sender, or fails. Throws ZodError.
 */
export function openTwilioSession(line: LineRef, connection: Connection, sink: Sink): Running {
  return new TwilioSession(line, TwilioSettings.parse(connection), sink);
}

class TwilioSession implements Running {
  readonly line: LineRef;
  readonly sends: LoggedSends;
  readonly #settings: TwilioSettings;
  readonly #sink: Sink;
  readonly #stopping = new AbortController();
  readonly #state: LineState;
  // Grows from outage to outage until a message is created: an account can be in order while its messages fail.
  readonly #untilNextTry = createBackoff(CHECK_MS);
  #checking: Promise<void> | null = null;
  #isFailing = false;
  #inProgress = 0;

  constructor(line: LineRef, settings: TwilioSettings, sink: Sink) {
    this.line = line;
    this.#settings = settings;
    this.#sink = sink;
    this.#state = createLineState(line, sink);
    this.sends = createLoggedSends(line, (message, { refs }) => this.#sendParts(message, refs));
    sessions().set(line.id, this);
    this.#check();
  }

  async stop(): Promise<void> {
    if (sessions().get(this.line.id) === this) sessions().delete(this.line.id);
    this.#stopping.abort();
    this.#state.stop();
    await this.#checking;
    for (let waits = 0; this.#inProgress > 0 && waits < MAX_STOP_WAITS; waits++) await sleep(STOP_WAIT_MS);
  }

  #check(pauseMs = 0): void {
    this.#checking ??= this.#checkUntilUp(pauseMs).finally(() => {
      this.#checking = null;
      // A message failed while the line came up again.
      if (this.#state.isUp === false && !this.#stopping.signal.aborted)
        this.#check(this.#untilNextTry.next());
    });
  }

  async #checkUntilUp(pauseMs: number): Promise<void> {
    const { signal } = this.#stopping;
    const backoff = createBackoff(CHECK_MS);
    await pause(pauseMs, signal);
    while (!signal.aborted) {
      const outage = await checkAccount(this.#settings).then(
        () => null,
        (error: unknown) => error,
      );
      if (signal.aborted) return;
      if (outage === null) {
        this.#isFailing = false;
        return this.#state.up();
      }
      await this.#state.down(outage);
      await pause(backoff.next(), signal);
    }
  }

  async #sendParts(message: Outbound, refs: string[]): Promise<void> {
    this.#inProgress++;
    try {
      for (const form of toForms(this.line, message, this.#settings).slice(refs.length))
        refs.push(await this.#create(form));
    } catch (error) {
      await this.#afterFailure(error, message.to[0] ?? "");
      throw error;
    } finally {
      this.#inProgress--;
    }
  }

  async #create(form: URLSearchParams): Promise<string> {
    // The messages behind one that failed wait: their outcome would be unknown, too.
    if (this.#isFailing) throw new AdapterError("line_down", "Twilio can't be used at the moment");
    const sid = await createMessage(this.#settings, form);
    this.#untilNextTry.reset();
    return sid;
  }

  /** Takes the line down when the error of a message concerns all messages. */
  async #afterFailure(error: unknown, to: string): Promise<void> {
    if (error instanceof OptedOut) {
      await this.#sink.receive(this.line, [{ type: "opt_out", from: to, keyword: null, at: now() }]);
      return;
    }
    if (error instanceof TwilioFailed) this.#isFailing = true;
    if (!(error instanceof AdapterError) || this.#state.isUp === false) return;
    if (error.kind === "line_down" || error instanceof TwilioFailed) {
      await this.#state.down(error);
      this.#check(this.#untilNextTry.next());
    } else if (error.kind === "unknown_outcome") {
      this.#check();
    }
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => undefined);
}
