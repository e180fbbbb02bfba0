import "server-only";
import { z } from "zod";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { UpstreamApi } from "@/lib/adapters/transports/upstream/upstream-api";
import { findPosition } from "@/lib/adapters/transports/upstream/upstream-locations";
import { now } from "@/lib/platform/time/clock";

/** The positions that one poll reads. */
const MAX_SHARES = 20;

/** A person who shares a location with the line, and the time of the last position in milliseconds. */
export const Share = z.object({ from: z.string(), at: z.int().nullable() });

export type Share = z.infer<typeof Share>;

/** Reads the positions of active shares, those that were read longest ago first. Events report no moves. */
export async function followShares(
  api: UpstreamApi,
  shares: readonly Share[],
): Promise<{ events: InEvent[]; shares: Share[] }> {
  const events: InEvent[] = [];
  const read: Share[] = [];
  for (const share of shares.slice(0, MAX_SHARES)) {
    const located = await findPosition(api, { shared_by: share.from });
    const at = located?.at ?? now();
    const isNew = located !== null && at.getTime() !== share.at;
    read.push(isNew ? { ...share, at: at.getTime() } : share);
    if (!isNew) continue;
    const { position } = located;
    events.push({ type: "location", from: share.from, at, change: "moved", position });
  }
  return { events, shares: [...shares.slice(MAX_SHARES), ...read] };
}
