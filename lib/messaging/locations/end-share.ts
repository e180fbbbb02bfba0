import "server-only";
import { emitEvents, newEvent } from "@/lib/events/store/emit-event";
import { LOCATION_EVENTS } from "@/lib/messaging/locations/location-events";
import type { Sql } from "@/lib/platform/database/db";

/** The contact's handle and the line of a share. */
interface ShareOf {
  accountId: string;
  lineId: string;
  handle: string;
}

interface EndedRow {
  chat_id: string | null;
  began_at: Date;
  ended_at: Date;
  phone_number: string;
}

/**
 * Ends an active share that began by `endedAt`, erases the position and emits location.sharing.stopped. Returns false
 * when there is none.
 */
export async function endShare(
  tx: Sql,
  { accountId, lineId, handle }: ShareOf,
  { endedAt, traceId }: { endedAt: Date; traceId: string },
): Promise<boolean> {
  const [row] = await tx.query<EndedRow>({
    name: "end-location-share",
    text: `update location_shares s set ended_at = $4, longitude = null, latitude = null, altitude = null,
             address = null, locality = null, position_at = null
           from lines l where l.account_id = s.account_id and l.id = s.line_id and s.account_id = $1 and s.line_id = $2
             and s.handle = $3 and s.ended_at is null and s.began_at <= $4
           returning s.chat_id, s.began_at, s.ended_at, l.phone_number`,
    values: [accountId, lineId, handle, endedAt],
  });
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
