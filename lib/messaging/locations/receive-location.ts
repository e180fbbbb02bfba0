import "server-only";
import type { InboundLocation, Position } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { emitEvents, newEvent } from "@/lib/events/store/emit-event";
import { traceReceived } from "@/lib/lines/connections/trace-received";
import { endShare } from "@/lib/messaging/locations/end-share";
import { LOCATION_EVENTS } from "@/lib/messaging/locations/location-events";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { newId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import { isBlocked } from "@/lib/recipients/blocks/is-blocked";

/**
 * Applies a report that a contact started sharing a location with a line, moved, or stopped. Emits
 * location.sharing.started and stopped once each, and nothing for a move (docs/contract.md, section 8.4). Repeats, late
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

const HOLD_LOCATION_SHARES = statement(
  "hold-location-shares",
  "select pg_advisory_xact_lock(hashtextextended(:lock, 0))",
);

// Serializes the reports of one contact to one line.
async function holdShares(tx: Sql, line: LineRef, from: string): Promise<void> {
  await tx.run(HOLD_LOCATION_SHARES, { lock: `location ${line.id} ${from}` });
}

type Started = Extract<InboundLocation, { change: "started" }>;

const START_LOCATION_SHARE = statement(
  "start-location-share",
  `insert into location_shares (account_id, line_id, id, handle, chat_id, began_at, ends_at)
  values (:accountId, :lineId, :id, :handle, (
    select c.id from chats c
    where c.account_id = :accountId and c.line_id = :lineId and c.participants_key = :handle and not c.is_group limit 1), :beganAt, :endsAt)
  returning chat_id`,
);

/** A share that began no later than a known one is a repeat. An active share ends when the next one begins. */
async function startShare(tx: Sql, line: LineRef, report: Started, traceId: string): Promise<void> {
  if (await isKnown(tx, line, report)) return;
  const { from: handle, at, endsAt, position } = report;
  const where = { accountId: line.accountId, lineId: line.id, handle };
  await endShare(tx, where, { endedAt: at, traceId });

  const [share] = await tx.run(START_LOCATION_SHARE, {
    accountId: line.accountId,
    lineId: line.id,
    id: newId(now().getTime(), line.accountId, "location", handle),
    handle,
    beganAt: at,
    endsAt,
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

const IS_KNOWN_LOCATION_SHARE = statement(
  "is-known-location-share",
  `select 1 from location_shares
  where account_id = :accountId and line_id = :lineId and handle = :from and began_at >= :beganAt limit 1`,
);

async function isKnown(tx: Sql, line: LineRef, { from, at }: Started): Promise<boolean> {
  const rows = await tx.run(IS_KNOWN_LOCATION_SHARE, {
    accountId: line.accountId,
    lineId: line.id,
    from,
    beganAt: at,
  });
  return rows.length > 0;
}

const MOVE_LOCATION_SHARE = statement(
  "move-location-share",
  `update location_shares set longitude = :longitude, latitude = :latitude, altitude = :altitude, address = :address, locality = :locality,
    position_at = :positionAt
  where account_id = :accountId and line_id = :lineId and handle = :from and ended_at is null
    and began_at <= :positionAt and (position_at is null or position_at <= :positionAt)`,
);

// A late report does not replace a newer position.
async function movePosition(
  tx: Sql,
  line: LineRef,
  { from, at, position }: { from: string; at: Date; position: Position },
): Promise<void> {
  await tx.run(MOVE_LOCATION_SHARE, {
    accountId: line.accountId,
    lineId: line.id,
    from,
    longitude: position.longitude,
    latitude: position.latitude,
    altitude: position.altitude,
    address: position.address,
    locality: position.locality,
    positionAt: at,
  });
}
