import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { Connection } from "@/lib/adapters/transports/callback";
import { createLineState } from "@/lib/adapters/transports/line-state";
import { createLoggedSends, type LoggedSends } from "@/lib/adapters/transports/logged-sends";
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

interface OpenSession {
  line: LineRef;
  sends: LoggedSends;
}

const shared = globalThis as typeof globalThis & { trunklineTwilio?: Map<string, OpenSession> };

function sessions(): Map<string, OpenSession> {
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
  const settings = TwilioSettings.parse(connection);
  const stopping = new AbortController();
  const state = createLineState(line, sink);
  // Grows from outage to outage until a message is created: an account can be in order while its messages fail.
  const untilNextTry = createBackoff(CHECK_MS);
  let checking: Promise<void> | null = null;
  let isFailing = false;
  let inProgress = 0;

  async function checkUntilUp(pauseMs: number): Promise<void> {
    const backoff = createBackoff(CHECK_MS);
    await pause(pauseMs);
    while (!stopping.signal.aborted) {
      const outage = await checkAccount(settings).then(
        () => null,
        (error: unknown) => error,
      );
      if (stopping.signal.aborted) return;
      if (outage === null) {
        isFailing = false;
        return state.up();
      }
      await state.down(outage);
      await pause(backoff.next());
    }
  }

  async function pause(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
  }

  function check(pauseMs = 0): void {
    checking ??= checkUntilUp(pauseMs).finally(() => {
      checking = null;
      // A message failed while the line came up again.
      if (state.isUp === false && !stopping.signal.aborted) check(untilNextTry.next());
    });
  }

  async function create(form: URLSearchParams): Promise<string> {
    // The messages behind one that failed wait: their outcome would be unknown, too.
    if (isFailing) throw new AdapterError("line_down", "Twilio can't be used at the moment");
    const sid = await createMessage(settings, form);
    untilNextTry.reset();
    return sid;
  }

  /** Takes the line down when the error of a message concerns all messages. */
  async function afterFailure(error: unknown, to: string): Promise<void> {
    if (error instanceof OptedOut) {
      await sink.receive(line, [{ type: "opt_out", from: to, keyword: null, at: now() }]);
      return;
    }
    if (error instanceof TwilioFailed) isFailing = true;
    if (!(error instanceof AdapterError) || state.isUp === false) return;
    if (error.kind === "line_down" || error instanceof TwilioFailed) {
      await state.down(error);
      check(untilNextTry.next());
    } else if (error.kind === "unknown_outcome") {
      check();
    }
  }

  const sends = createLoggedSends(async (message, { refs }) => {
    inProgress++;
    try {
      for (const form of toForms(line, message, settings).slice(refs.length)) refs.push(await create(form));
    } catch (error) {
      await afterFailure(error, message.to[0] ?? "");
      throw error;
    } finally {
      inProgress--;
    }
  });
  sessions().set(line.id, { line, sends });
  check();
  return {
    async stop() {
      if (sessions().get(line.id)?.sends === sends) sessions().delete(line.id);
      stopping.abort();
      state.stop();
      await checking;
      for (let waits = 0; inProgress > 0 && waits < MAX_STOP_WAITS; waits++) await sleep(STOP_WAIT_MS);
    },
  };
}

const STOP_WAIT_MS = 50;
const MAX_STOP_WAITS = 100;
