import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { Connection } from "@/lib/adapters/transports/callback";
import { createLoggedSends, type LoggedSends } from "@/lib/adapters/transports/logged-sends";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Sink } from "@/lib/adapters/transports/sink";
import type { Running } from "@/lib/adapters/transports/transport";
import { checkAccount, createMessage, OptedOut } from "@/lib/adapters/transports/twilio/twilio-api";
import { toForms } from "@/lib/adapters/transports/twilio/twilio-form";
import { TwilioSettings } from "@/lib/adapters/transports/twilio/twilio-settings";
import { createBackoff } from "@/lib/platform/backoff";
import { now } from "@/lib/platform/clock";
import { log } from "@/lib/platform/log";

const CHECK_MS = { leastMs: 1000, mostMs: 30_000 };

const shared = globalThis as typeof globalThis & { trunklineTwilio?: Map<string, LoggedSends> };

function sessions(): Map<string, LoggedSends> {
  shared.trunklineTwilio ??= new Map();
  return shared.trunklineTwilio;
}

/** The sends of a line whose session is open in this process. */
export function twilioSendsOf(lineId: string): LoggedSends | undefined {
  return sessions().get(lineId);
}

/**
 * Opens the session of a line. Twilio has no connection that stays open: a session means that one process sends for the
 * line, which knows its sends, because Twilio has no idempotency keys. The line is down while Twilio can't be reached
 * or refuses the credentials. Throws ZodError.
 */
export function openTwilioSession(line: LineRef, connection: Connection, sink: Sink): Running {
  const settings = TwilioSettings.parse(connection);
  const stopping = new AbortController();
  let checking: Promise<void> | null = null;
  let isUp: boolean | null = null;
  let inProgress = 0;

  async function checkUntilUp(): Promise<void> {
    const backoff = createBackoff(CHECK_MS);
    while (!stopping.signal.aborted) {
      const isReachable = await checkAccount(settings).then(() => true, explain);
      if ((await report(isReachable)) && isReachable) return;
      await sleep(backoff.next(), undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  function explain(error: unknown): boolean {
    log.warn({ err: error, lineId: line.id }, "Twilio can't be used for a line");
    return false;
  }

  /** Reports a change. Returns whether the state is stored. */
  async function report(isReachable: boolean): Promise<boolean> {
    if (isUp === isReachable) return true;
    try {
      await sink.receive(line, [{ type: "line", up: isReachable }]);
      isUp = isReachable;
      return true;
    } catch (error) {
      log.warn({ err: error, lineId: line.id }, "the state of a line could not be stored");
      return false;
    }
  }

  function check(): void {
    checking ??= checkUntilUp().finally(() => {
      checking = null;
    });
  }

  const sends = createLoggedSends(async (message, { refs }) => {
    inProgress++;
    try {
      for (const form of toForms(line, message, settings).slice(refs.length)) {
        refs.push(await createMessage(settings, form));
      }
    } catch (error) {
      if (error instanceof OptedOut) {
        const [from = ""] = message.to;
        await sink.receive(line, [{ type: "opt_out", from, keyword: null, at: now() }]);
      } else if (error instanceof AdapterError && error.kind === "line_down") {
        await report(false);
        check();
      }
      throw error;
    } finally {
      inProgress--;
    }
  });
  sessions().set(line.id, sends);
  check();
  return {
    async stop() {
      if (sessions().get(line.id) === sends) sessions().delete(line.id);
      stopping.abort();
      await checking;
      for (let waits = 0; inProgress > 0 && waits < MAX_STOP_WAITS; waits++) await sleep(STOP_WAIT_MS);
    },
  };
}

const STOP_WAIT_MS = 50;
const MAX_STOP_WAITS = 100;
