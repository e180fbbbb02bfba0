import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { AdapterError, PartlySent } from "@/lib/adapters/adapter-error";
import { findNewestMessage } from "@/lib/adapters/find-newest-message";
import type { Accepted, Outbound, SendOutcome } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { timeOfId } from "@/lib/platform/ids";
import type { ServiceType } from "@/lib/platform/prisma/enums";
import { now } from "@/lib/platform/time/clock";

const MAX_ENTRIES = 10_000;
/** How long the outcome of a send waits for a response that may still come. */
const OUTCOME_WAIT_MS = 10_000;

/** A message whose sending began over a session. */
interface SendEntry {
  since: number;
  refs: string[];
  groupRef: string | null;
  /** `refused`: the parts after `refs` were certainly not sent. */
  state: "sending" | "accepted" | "refused" | "unknown";
  service: ServiceType;
  result: Promise<Accepted>;
}

/** The progress of a message, which a later attempt continues. */
export interface SendProgress {
  /** When its first attempt began, by `performance.now()`. The oldest message goes first. */
  since: number;
  /** The references of the parts that the vendor accepted, in order. Add each as soon as it is accepted. */
  refs: string[];
  /** The vendor's ID of the group, once it is known. */
  groupRef: string | null;
}

/**
 * Sends the parts of a message after `progress.refs`. Throws AdapterError: `unknown_outcome` when a part may have been
 * sent, and any other kind when the remaining parts were certainly not sent.
 */
type SendParts = (message: Outbound, progress: SendProgress, signal: AbortSignal) => Promise<void>;

/** The sends of a session. */
export interface LoggedSends {
  send(message: Outbound, signal: AbortSignal): Promise<Accepted>;
  outcome(messageId: string): Promise<SendOutcome>;
}

/**
 * Gives a vendor without idempotency keys the promises of the port: over a session, a message is sent once, and its
 * outcome can be asked. For transports with `sessions`, whose messages are all sent by the process of the session. The
 * last 10,000 messages are known; older ones have an unknown outcome, and so have those from before the session.
 */
export function createLoggedSends(
  { accountId }: Pick<LineRef, "accountId">,
  sendParts: SendParts,
): LoggedSends {
  const entries = new Map<string, SendEntry>();
  let knownSince = now().getTime();
  let newestBefore: Promise<number> | null = findNewestBefore();

  /** The time of the newest message from before the session, which a clock that was set back since may be behind. */
  function findNewestBefore(): Promise<number> {
    const found = findNewestMessage(accountId);
    found.catch(() => {
      newestBefore = null;
    });
    return found;
  }

  /** Whether a message was accepted since the session was opened, so that no other process can have sent it. */
  async function isSince(messageId: string): Promise<boolean> {
    newestBefore ??= findNewestBefore();
    const newest = await newestBefore;
    return timeOfId(messageId) >= knownSince && timeOfId(messageId) > newest;
  }

  async function run(message: Outbound, entry: SendEntry, signal: AbortSignal): Promise<Accepted> {
    try {
      await sendParts(message, entry, signal);
      entry.state = "accepted";
      return { refs: entry.refs, groupRef: entry.groupRef, service: entry.service };
    } catch (error) {
      const isUnknown = !(error instanceof AdapterError) || error.kind === "unknown_outcome";
      entry.state = isUnknown ? "unknown" : "refused";
      if (isUnknown || entry.refs.length === 0) throw error;
      throw new PartlySent(error.kind, error.message, error.retryAfterMs);
    }
  }

  function addEntry(messageId: string, entry: SendEntry): void {
    entries.delete(messageId);
    entries.set(messageId, entry);
    const [oldest] = entries.keys();
    if (entries.size <= MAX_ENTRIES || oldest === undefined) return;
    entries.delete(oldest);
    knownSince = Math.max(knownSince, timeOfId(oldest) + 1);
  }

  return {
    send(message, signal) {
      const known = entries.get(message.id);
      if (known !== undefined && known.state !== "refused") return untilAborted(known.result, signal);
      const { since = performance.now(), refs = [], groupRef = message.group?.ref ?? null } = known ?? {};
      const { service } = message;
      const entry: SendEntry = { since, refs, groupRef, state: "sending", service, result: NOT_SENT };
      entry.result = run(message, entry, signal);
      entry.result.catch(() => undefined);
      addEntry(message.id, entry);
      return untilAborted(entry.result, signal);
    },
    async outcome(messageId) {
      const entry = entries.get(messageId);
      if (entry === undefined) return { state: (await isSince(messageId)) ? "absent" : "unknown" };
      if (entry.state === "sending") {
        await Promise.race([entry.result.catch(() => null), sleep(OUTCOME_WAIT_MS)]);
      }
      if (entry.state === "accepted") return { state: "accepted", accepted: await entry.result };
      if (entry.state !== "refused") return { state: "unknown" };
      // A repeat continues after the parts that were sent.
      return { state: entry.refs.length === 0 ? "absent" : "repeatable" };
    },
  };
}

const NOT_SENT = Promise.resolve<Accepted>({ refs: [], groupRef: null, service: "SMS" });

/** Resolves with the result, or rejects with `unknown_outcome` at the signal: the message may still be sent. */
async function untilAborted(result: Promise<Accepted>, signal: AbortSignal): Promise<Accepted> {
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    // A message that was still waiting for its turn is refused by the same signal, which is the better answer.
    abort = () =>
      setImmediate(() => reject(new AdapterError("unknown_outcome", "the vendor did not respond in time")));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort);
  });
  try {
    return await Promise.race([result, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
