import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { STATUS } from "@/lib/adapters/transports/smpp/command-status";
import { explainBind } from "@/lib/adapters/transports/smpp/explain-bind";
import { type Binds, openBinds } from "@/lib/adapters/transports/smpp/open-binds";
import type { Fields, Pdu } from "@/lib/adapters/transports/smpp/pdu";
import type { OnDelivery } from "@/lib/adapters/transports/smpp/pdu-connection";
import { createTurns } from "@/lib/adapters/transports/smpp/send-turns";
import type { SmppSettings } from "@/lib/adapters/transports/smpp/smpp-settings";
import { log } from "@/lib/platform/telemetry/log";
import { createBackoff } from "@/lib/platform/time/backoff";

/** The response to a submit may take longer than others, because giving up makes the outcome unknown. */
const SUBMIT_RESPONSE_MS = 60_000;
const CLOSE_MS = 3000;
const RECONNECT_MS = { leastMs: 500, mostMs: 15_000 };
const THROTTLED_PAUSE_MS = 1000;

/** Whether a bind is up. `reason` explains to the operator why it is not. */
export type BindState = { isUp: true } | { isUp: false; reason: string };

/** Receives the state and the deliveries of a bind. */
export interface BindListener {
  /** The bind is up, or was lost or refused. */
  onState(state: BindState): void;
  /** Handles a deliver_sm or data_sm and returns the command status of its response. */
  onDeliver: OnDelivery;
  /** The connection ended: responses that were written may not have arrived. */
  onClose(): void;
}

export interface SmppBind {
  /**
   * Sends a submit_sm when its turn comes and returns the response, whatever its status. A throttled one is sent again.
   * Throws AdapterError: `line_down` and `rate_limited` when nothing was sent, `unknown_outcome` when the connection
   * ended before the response, `rejected` for fields that SMPP can't carry.
   */
  submit(fields: Fields, since: number, signal: AbortSignal): Promise<Pdu>;
  /** Waits for responses in progress, unbinds and closes. */
  stop(): Promise<void>;
}

/** Keeps a bind with an SMS center open, and reconnects with growing pauses. */
export function openBind(settings: SmppSettings, listener: BindListener): SmppBind {
  const turns = createTurns({ window: settings.window, perSecond: settings.throughput });
  const stopping = new AbortController();
  const inProgress = new Set<Promise<unknown>>();
  let current: Binds | null = null;

  async function keepBound(): Promise<void> {
    const backoff = createBackoff(RECONNECT_MS);
    while (!stopping.signal.aborted) {
      let reason = "The SMS center ended the connection.";
      try {
        const binds = await openBinds(settings, listener.onDeliver);
        if (stopping.signal.aborted) {
          await binds.close();
          break;
        }
        current = binds;
        backoff.reset();
        turns.open(true);
        listener.onState({ isUp: true });
        await binds.closed;
        listener.onClose();
      } catch (error) {
        log.warn({ err: error, host: settings.host, systemId: settings.system_id }, "an SMPP bind failed");
        reason = explainBind(error, settings);
      }
      current = null;
      turns.open(false);
      if (stopping.signal.aborted) break;
      listener.onState({ isUp: false, reason });
      await sleep(backoff.next(), undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  async function submitInTurn(fields: Fields, since: number, signal: AbortSignal) {
    for (;;) {
      await turns.take(since, signal);
      let response: Pdu;
      try {
        if (current === null) throw new AdapterError("line_down", "the SMS center is not connected");
        response = await current.request("submit_sm", fields, SUBMIT_RESPONSE_MS);
      } finally {
        turns.release();
      }
      const isThrottled = response.status === STATUS.throttled || response.status === STATUS.queueFull;
      if (!isThrottled || signal.aborted) return response;
      turns.pause(THROTTLED_PAUSE_MS);
    }
  }

  const keeping = keepBound();
  return {
    submit(fields, since, signal) {
      const submitting = submitInTurn(fields, since, signal);
      const ended = submitting.catch(() => undefined).finally(() => inProgress.delete(ended));
      inProgress.add(ended);
      return submitting;
    },
    async stop() {
      stopping.abort();
      await Promise.race([Promise.all(inProgress), sleep(CLOSE_MS)]);
      turns.open(false);
      await current?.close();
      await keeping;
    },
  };
}

/** Binds once and unbinds. What the SMS center delivers meanwhile is refused, so that it is delivered again. */
export async function bindOnce(settings: SmppSettings): Promise<void> {
  const binds = await openBinds(settings, async () => STATUS.temporaryError);
  await binds.close();
}
