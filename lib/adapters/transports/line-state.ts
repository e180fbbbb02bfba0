import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Sink } from "@/lib/adapters/transports/sink";
import { log } from "@/lib/platform/telemetry/log";
import { createBackoff } from "@/lib/platform/time/backoff";

const STORE_AGAIN_MS = { leastMs: 500, mostMs: 10_000 };
const MAX_REASON = 500;

/** The state of a session's line. */
export interface LineState {
  /** Whether the line can send, as reported last; null before the first report. */
  readonly isUp: boolean | null;
  /** Reports that the line can send. Resolves once the newest report is stored. */
  up(): Promise<void>;
  /** Reports that the line can't send. Resolves once the newest report is stored. */
  down(error: unknown): Promise<void>;
  /** Stores nothing more. */
  stop(): void;
}

/**
 * Reports the state of a session's line to the sink when it changes, again until it is stored. The reason of an outage
 * is the sentence of its error, so the line's page shows what a test of the connection shows.
 */
export function createLineState(line: LineRef, sink: Sink): LineState {
  const stopping = new AbortController();
  let newest: { up: boolean; reason?: string } | null = null;
  let isStored = true;
  let storing: Promise<void> | null = null;

  async function storeNewest(): Promise<void> {
    const backoff = createBackoff(STORE_AGAIN_MS);
    while (!isStored && newest !== null && !stopping.signal.aborted) {
      isStored = true;
      try {
        await sink.receive(line, [{ type: "line", ...newest }]);
      } catch (error) {
        isStored = false;
        log.warn({ err: error, lineId: line.id }, "the state of a line could not be stored");
        await sleep(backoff.next(), undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  }

  async function report(next: { up: boolean; reason?: string }): Promise<void> {
    if (newest?.up !== next.up || newest.reason !== next.reason) {
      newest = next;
      isStored = false;
    }
    await store();
  }

  async function store(): Promise<void> {
    if (!isStored)
      storing ??= storeNewest().finally(() => {
        storing = null;
      });
    await storing;
    // Reported since the last one was stored.
    if (!isStored && !stopping.signal.aborted) await store();
  }

  return {
    get isUp() {
      return newest === null ? null : newest.up;
    },
    up: () => report({ up: true }),
    down(error) {
      const reason = outageReason(error);
      if (newest?.reason !== reason) log.warn({ err: error, lineId: line.id }, "a line is down");
      return report({ up: false, reason });
    },
    stop: () => stopping.abort(),
  };
}

/** The sentence that tells an operator why a line is down. */
export function outageReason(error: unknown): string {
  if (error instanceof z.ZodError) return explainZodError(error);
  return (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON);
}

function explainZodError({ issues: [issue] }: z.ZodError): string {
  return issue === undefined ? "not valid" : `${issue.path.join(".")}: ${issue.message}`;
}
