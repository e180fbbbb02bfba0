import "server-only";
import { emitEvents, newEvent } from "@/lib/events/store/emit-event";
import { LOCATION_EVENTS } from "@/lib/messaging/locations/location-events";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

/** The contact's handle and the line of a share. */
interface ShareOf {
  accountId: string;
  lineId: string;
  handle: string;
}

const END_LOCATION_SHARE = statement(
  "end-location-share",
  `update location_shares s set ended_at = :endedAt, longitude = null, latitude = null, altitude = null,
    address = null, locality = null, position_at = null
  from lines l where l.account_id = s.account_id and l.id = s.line_id and s.account_id = :accountId and s.line_id = :lineId
    and s.handle = :handle and s.ended_at is null and s.began_at <= :endedAt
  returning s.chat_id, s.began_at, s.ended_at as "ended_at!", l.phone_number`,
);

/**
 * Ends an active share that began by `endedAt`, erases the position and emits location.sharing.stopped. Returns false
 * when there is none.
 */
export async function endShare(
  tx: Sql,
  { accountId, lineId, handle }: ShareOf,
  { endedAt, traceId }: { endedAt: Date; traceId: string },
): Promise<boolean> {
  const [row] = await tx.run(END_LOCATION_SHARE, { accountId, lineId, handle, endedAt });
  if (row === undefined) return false;

  const data = {
    shared_by: handle,
    shared_with: row.phone_number,
    began_at: row.began_at.toISOString(),
    ended_at: row.ended_at.toISOString(),
    chat_id: row.chat_id,
  };
  const about = { accountId, lineId, chatId: row.chat_id, messageId: null, traceId, at: endedAt };
  await emitEvents(tx, [newEvent(LOCATION_EVENTS["location.sharing.stopped"], about, data)]);
  return true;
}
