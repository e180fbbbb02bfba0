import "server-only";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { askPhone } from "@/lib/adapters/transports/android/android-api";
import type { AndroidSettings } from "@/lib/adapters/transports/android/android-settings";
import { log } from "@/lib/platform/telemetry/log";

/** After a longer silence, or a poll that failed, the phone reads again what Android received meanwhile. */
const GAP_MS = 60_000;
/** What Android received is read again from this long before the silence on. */
const GAP_REACH_MS = 86_400_000;
/** The phone reads a part of this length at once: a longer one takes it longer than a request may. */
const PART_MS = 6 * 3_600_000;
/** The pause after a refresh that failed, and between two of the newest part: they would overlap on the phone. */
const BACK_OFF_MS = 10 * 60_000;
/** The clocks of networks differ: a message may be from the future. */
const AHEAD_MS = 86_400_000;

/** A time in which Android may have received messages that SMSGate does not show. Times are in milliseconds. */
export const Gap = z.object({
  from: z.int(),
  /** The phone has read again what came later; null before it has read anything. */
  until: z.int().nullable(),
  nextAt: z.int(),
});
export type Gap = z.infer<typeof Gap>;

interface Silence {
  gap: Gap | null;
  /** When the inbox was last read; null before the first look. */
  readAt: number | null;
  /** When the phone was last asked for the newest part of a gap. */
  refreshedAt: number | null;
  /** The last poll failed. */
  isBack: boolean;
  /** Nothing older is ever read. */
  floor: number;
  at: number;
}

/** The open gap, with the silence before this poll; null without one. */
export function openGap({ gap, readAt, refreshedAt, isBack, floor, at }: Silence): Gap | null {
  if (readAt === null || !(isBack || at - readAt > GAP_MS)) return gap;
  const from = Math.max(floor, Math.min(gap?.from ?? readAt, readAt - GAP_REACH_MS));
  const refreshAt = refreshedAt === null ? at : refreshedAt + BACK_OFF_MS;
  return { from, until: null, nextAt: Math.max(gap?.nextAt ?? at, refreshAt) };
}

/** The gap while its part that is due is being read: a refresh that is lost is not repeated before the pause. */
export function pauseGap(gap: Gap, at: number): Gap {
  return { ...gap, nextAt: at + BACK_OFF_MS };
}

interface Refresh {
  settings: AndroidSettings;
  gap: Gap;
  at: number;
  signal: AbortSignal;
}

/**
 * Lets SMSGate read a part of the gap again, the newest first, and returns what is left of it: null once all is read.
 * A phone that refuses, for example without the permission SMS, or does not answer in time, is asked again after the
 * pause. Throws AdapterError if the phone can't be reached.
 */
export async function refreshGap({ settings, gap, at, signal }: Refresh): Promise<Gap | null> {
  const since = Math.max(gap.from, (gap.until ?? at) - PART_MS);
  const body = {
    since: new Date(since).toISOString(),
    until: new Date(gap.until ?? at + AHEAD_MS).toISOString(),
    messageTypes: ["SMS", "MMS"],
    triggerWebhooks: false,
  };
  try {
    const { status } = await askPhone(settings, { method: "POST", path: "/inbox/refresh", body, signal });
    if (status < 300) return since === gap.from ? null : { ...gap, until: since, nextAt: at };
    log.warn({ status }, "a phone could not read again what it received");
  } catch (error) {
    const isLost = error instanceof AdapterError && error.kind === "unknown_outcome" && !signal.aborted;
    if (!isLost) throw error;
    log.warn({ reason: error.message }, "a phone did not say that it has read again what it received");
  }
  return pauseGap(gap, at);
}
