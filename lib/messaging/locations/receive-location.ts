import "server-only";
import type { InboundLocation, Position } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { emitEvents, newEvent } from "@/lib/events/store/emit-event";
import { traceReceived } from "@/lib/lines/connections/trace-received";
import { endShare } from "@/lib/messaging/locations/end-share";
import { LOCATION_EVENTS } from "@/lib/messaging/locations/location-events";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import { isBlocked } from "@/lib/recipients/blocks/is-blocked";

/**
 * Applies a report that a contact started sharing a location with a line, moved, or stopped. Emits
 * location.sharing.started and stopped once each, and nothing for a move (partner-api.md, Events). Repeats, late
 * reports and reports from blocked contacts change nothing.
 */
export async function receiveLocation(line: LineRef, report: InboundLocation): Promise<void> {
  await traceReceived(line, "location", (traceId) =>
    transaction(async (tx) => {
      await holdShares(tx, line, report.from);
      if (await isBlocked(tx, line.accountId, report.from)) return;
      if (report.change === "started") return startShare(tx, line, report, traceId);
      if (report.change === "moved") return movePosition(tx, line, report);
      const where = { accountId: line.accountId, lineId: line.id, handle: report.from };
      await endShare(tx, where, { endedAt: report.at, traceId });
    }),
  );
}

// Serializes the reports of one contact to one line.
async function holdShares(tx: Sql, line: LineRef, from: string): Promise<void> {
  await tx.query({
    name: "hold-location-shares",
    text: "select pg_advisory_xact_lock(hashtextextended($1, 0))",
    values: [`location ${line.id} ${from}`],
  });
}

type Started = Extract<InboundLocation, { change: "started" }>;

/** A share that began no later than a known one is a repeat. An active share ends when the next one begins. */
async function startShare(tx: Sql, line: LineRef, report: Started, traceId: string): Promise<void> {
  if (await isKnown(tx, line, report)) return;
  const { from: handle, at, endsAt, position } = report;
  const where = { accountId: line.accountId, lineId: line.id, handle };
  await endShare(tx, where, { endedAt: at, traceId });

  const [share] = await tx.query<{ chat_id: string | null }>({
    name: "start-location-share",
    text: `insert into location_shares (account_id, line_id, id, handle, chat_id, began_at, ends_at)
           values ($1, $2, $3, $4, (
             select c.id from chats c
             where c.account_id = $1 and c.line_id = $2 and c.participants_key = $4 and not c.is_group limit 1), $5, $6)
           returning chat_id`,
    values: [
      line.accountId,
      line.id,
      newId(now().getTime(), line.accountId, "location", handle),
      handle,
      at,
      endsAt,
    ],
  });
  if (position !== null) await movePosition(tx, line, { from: handle, at, position });
  const chatId = share?.chat_id ?? null;
  const data = {
    shared_by: handle,
    shared_with: line.phoneNumber,
    began_at: at.toISOString(),
    ends_at: endsAt?.toISOString() ?? null,
    chat_id: chatId,
  };
  const about = { accountId: line.accountId, lineId: line.id, chatId, messageId: null, traceId, at: now() };
  await emitEvents(tx, [newEvent(LOCATION_EVENTS["location.sharing.started"], about, data)]);
}

async function isKnown(tx: Sql, line: LineRef, { from, at }: Started): Promise<boolean> {
  const rows = await tx.query({
    name: "is-known-location-share",
    text: `select 1 from location_shares
           where account_id = $1 and line_id = $2 and handle = $3 and began_at >= $4 limit 1`,
    values: [line.accountId, line.id, from, at],
  });
  return rows.length > 0;
}

// A late report does not replace a newer position.
async function movePosition(
  tx: Sql,
  line: LineRef,
  { from, at, position }: { from: string; at: Date; position: Position },
): Promise<void> {
  await tx.query({
    name: "move-location-share",
    text: `update location_shares set longitude = $4, latitude = $5, altitude = $6, address = $7, locality = $8,
             position_at = $9
           where account_id = $1 and line_id = $2 and handle = $3 and ended_at is null
             and began_at <= $9 and (position_at is null or position_at <= $9)`,
    values: [
      line.accountId,
      line.id,
      from,
      position.longitude,
      position.latitude,
      position.altitude,
      position.address,
      position.locality,
      at,
    ],
  });
}
