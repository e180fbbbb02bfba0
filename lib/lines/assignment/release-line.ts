import "server-only";
import { z } from "zod";
import { emitEvents, newEvent } from "@/lib/events/store/emit-event";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { applyCard, type CardLine } from "@/lib/lines/contact-cards/apply-card";
import { deleteCardImage } from "@/lib/lines/contact-cards/card-image";
import { type CardRow, findCards } from "@/lib/lines/contact-cards/contact-card";
import { removeCard } from "@/lib/lines/contact-cards/delete-contact-card";
import { throwNotFoundOrDenied } from "@/lib/lines/lines/find-line";
import { LINE_EVENTS } from "@/lib/lines/lines/line-events";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { log } from "@/lib/platform/telemetry/log";

export const ReleaseLine = contract({
  summary: "Release a phone line",
  tag: "Phone lines",
  right: "release_lines",
  proof: true,
  params: z.object({ lineId: z.uuid() }),
  status: 204,
  errors: ["access_denied", "line_not_found", "state_conflict"],
  extension: true,
});

/**
 * Releases a line's number. Its chats remain readable but count as left (writes fail with 2013), its card is removed,
 * and the number can become another line. Emits phone_number.released (docs/contract.md, section 11.2). Errors:
 * access_denied, line_not_found, state_conflict while messages are pending on the line.
 */
export async function releaseLine(ctx: Context, { params }: Input<typeof ReleaseLine>): Promise<undefined> {
  const released = await transaction((tx) => release(tx, ctx, params.lineId));
  await clearCard(ctx, released);
}

interface LockedLine extends CardLine {
  connection: Buffer | null;
}

/** A line as it was when it was released. */
export interface ReleasedLine extends LockedLine {
  card: CardRow | null;
}

/**
 * Releases a line in the caller's transaction and returns the line. Its card must be cleared afterwards with
 * `clearCard`. Errors: line_not_found, access_denied, state_conflict.
 */
export async function release(tx: Sql, ctx: Context, lineId: string): Promise<ReleasedLine> {
  return releaseLocked(tx, ctx, await lockLine(tx, ctx, lineId));
}

const RELEASE_LINE = plannedStatement(
  "release-line",
  "update lines set released_at = :now where account_id = :accountId and id = :lineId",
);

/** As `release`, for a line that the transaction has locked with `lockLine`. Errors: state_conflict. */
export async function releaseLocked(tx: Sql, ctx: Context, line: LockedLine): Promise<ReleasedLine> {
  const { accountId, id: lineId } = line;
  const card = await lockCard(tx, line);
  await tx.run(RELEASE_LINE, { accountId, lineId, now: ctx.now });
  await failIfMessagesWait(tx, line);
  await leaveChats(tx, ctx, line);
  if (card !== null) await removeCard(tx, ctx, card);

  const { phoneNumber } = line;
  await recordAudit(tx, ctx, "line.released", "line", line.id, { phoneNumber });
  const about = {
    accountId,
    lineId: line.id,
    chatId: null,
    messageId: null,
    traceId: ctx.traceId,
    at: ctx.now,
  };
  const data = { phone_number: phoneNumber, changed_at: ctx.now.toISOString() };
  await emitEvents(tx, [newEvent(LINE_EVENTS["phone_number.released"], about, data)]);
  return { ...line, card };
}

const LOCK_LINE = plannedStatement(
  "lock-line",
  `select account_id as "accountId", id, phone_number as "phoneNumber", line_type as "lineType", transport,
    connection, connection_number as "connectionNumber"
  from lines where account_id = :accountId and id = :lineId and released_at is null for no key update`,
);

/**
 * Locks a line before anything of it is read: its connection and card may be changed at the same time. Errors:
 * line_not_found, access_denied (another account's line).
 */
export async function lockLine(tx: Sql, ctx: Context, lineId: string): Promise<LockedLine> {
  const [line] = await tx.run(LOCK_LINE, { accountId: ctx.account.id, lineId });
  return line ?? throwNotFoundOrDenied(ctx, lineId);
}

const LOCK_CONTACT_CARD = plannedStatement(
  "lock-contact-card",
  "select id from contact_cards where account_id = :accountId and line_id = :lineId for update",
);

async function lockCard(tx: Sql, { accountId, id: lineId }: CardLine): Promise<CardRow | null> {
  await tx.run(LOCK_CONTACT_CARD, { accountId, lineId });
  const [card] = await findCards(accountId, { lineId, on: tx });
  return card ?? null;
}

const LINE_HAS_PENDING_MESSAGES = plannedStatement(
  "line-has-pending-messages",
  `select exists (
    select from messages where account_id = :accountId and line_id = :id and dispatch_at is not null) as waiting,
  exists (
    select from scheduled_messages s join chats c on c.account_id = s.account_id and c.id = s.chat_id
    where s.account_id = :accountId and s.due_at is not null and c.line_id = :id) as scheduled`,
);

async function failIfMessagesWait(tx: Sql, { accountId, id }: CardLine): Promise<void> {
  const [row] = await tx.run(LINE_HAS_PENDING_MESSAGES, { accountId, id });
  if (row?.waiting === true) {
    fail(
      "state_conflict",
      "this line has pending messages: release the line when they are sent or have failed",
    );
  }
  if (row?.scheduled === true) {
    fail(
      "state_conflict",
      "this line has scheduled messages: cancel them, or release the line when they are sent",
    );
  }
}

const LEAVE_CHATS = plannedStatement(
  "leave-chats",
  `with gone as (
    update chats set left_at = :now, participants_key = null, updated_at = :now
    where account_id = :accountId and line_id = :lineId and left_at is null returning id
  )
  update participants p set status = 'left', left_at = :now
  from gone where p.account_id = :accountId and p.chat_id = gone.id and p.is_me and p.status = 'active'`,
);

async function leaveChats(tx: Sql, ctx: Context, line: CardLine): Promise<void> {
  await tx.run(LEAVE_CHATS, { accountId: ctx.account.id, lineId: line.id, now: ctx.now });
}

/**
 * Removes the card of a released line from the device, and its image. The number is released even if the device fails:
 * the next owner replaces the card.
 */
export async function clearCard(ctx: Context, { card, ...line }: ReleasedLine): Promise<void> {
  if (card === null) return;
  await applyCard(line, null).catch(() =>
    log.warn({ line: line.phoneNumber }, "a released line still has its contact card"),
  );
  await deleteCardImage(ctx, card.image?.attachment_id ?? null).catch((error: unknown) =>
    log.warn({ err: error, line: line.phoneNumber }, "the image of a released line's card was not deleted"),
  );
}
