import "server-only";
import { z } from "zod";
import { recordUserChange } from "@/lib/identity/audit/record-audit";
import { MessageContent } from "@/lib/messaging/content/message-content";
import { failWithoutScheduled } from "@/lib/messaging/scheduled/missing-scheduled";
import { pinFiles } from "@/lib/messaging/scheduled/pin-files";
import { findScheduled } from "@/lib/messaging/scheduled/schedule-message";
import {
  SCHEDULED_COLUMNS,
  ScheduledMessage,
  ScheduledParams,
  type ScheduledRow,
  toScheduledMessage,
} from "@/lib/messaging/scheduled/scheduled-message";
import { dueTimeOf, SendAt } from "@/lib/messaging/scheduled/send-at";
import { prepareMessage } from "@/lib/messaging/sending/prepare-message";
import { SendMessage } from "@/lib/messaging/sending/send-message";
import type { Context } from "@/lib/platform/context";
import { contract, type Input, MESSAGE_BODY_LIMIT_BYTES } from "@/lib/platform/contract";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

export const ChangeScheduledMessage = contract({
  summary: "Change a scheduled message",
  description:
    "Moves a scheduled message to another time, or replaces its content. A time in the past sends it now. A message that was sent meanwhile fails with 2015. The idempotency key stays that of the send. A Trunkline extension.",
  tag: "Messages",
  right: "send_messages",
  params: ScheduledParams,
  body: z
    .object({
      send_at: SendAt.describe("The new time. Absent keeps it."),
      message: MessageContent.optional().describe("The new content. Absent keeps it."),
    })
    .refine(({ send_at, message }) => send_at !== undefined || message !== undefined, {
      path: ["send_at"],
      message: "set send_at or message",
      params: { error: "field_missing" },
    })
    .meta({ examples: [{ send_at: "2026-03-02T10:30:00Z" }] }),
  bodyLimitBytes: MESSAGE_BODY_LIMIT_BYTES,
  returns: ScheduledMessage,
  status: 200,
  errors: SendMessage.errors,
  extension: true,
});

/** A change; null = what it was. */
interface Change {
  dueAt: Date | null;
  content: string | null;
  parts: string | null;
}

/**
 * Changes a message before it is due. Either this or the send takes the message's row: what was read before a change is
 * not sent. Errors: as `ChangeScheduledMessage`; state_conflict when it was due, parameter_invalid for the content of a
 * voice memo.
 */
export async function changeScheduledMessage(
  ctx: Context,
  { params, body }: Input<typeof ChangeScheduledMessage>,
): Promise<ScheduledMessage> {
  const { messageId } = params;
  const dueAt = body.send_at === undefined ? null : (dueTimeOf(ctx, body.send_at) ?? ctx.now);
  const was = (await findScheduled(ctx, messageId)) ?? (await failWithoutScheduled(ctx, messageId));
  const row = await (body.message === undefined
    ? store(ctx, was, { dueAt, content: null, parts: null })
    : storeContent(ctx, was, body.message, dueAt));

  if (dueAt !== null) sql.wake("scheduled");
  return toScheduledMessage(row);
}

async function storeContent(
  ctx: Context,
  was: ScheduledRow,
  message: MessageContent,
  dueAt: Date | null,
): Promise<ScheduledRow> {
  if (was.kind !== "content")
    fail("parameter_invalid", "message: the content of a voice memo can't be changed");
  const { idempotency_key: _, ...content } = message;
  const prepared = await prepareMessage(ctx, content, { chatId: was.chat_id, messageId: was.id });
  if (prepared.replayOf !== null) throw new Error("content without a key repeats nothing");
  const key = was.idempotency_key;
  const pinned = {
    ...pinFiles(prepared.content, prepared.parts),
    ...(key !== null && { idempotency_key: key }),
  };
  // Files are not discarded when this fails: the message that was sent meanwhile may show the same ones.
  return store(ctx, was, { dueAt, content: JSON.stringify(pinned), parts: JSON.stringify(prepared.parts) });
}

const CHANGE_SCHEDULED_MESSAGE = statement(
  "change-scheduled-message",
  `update scheduled_messages s set due_at = coalesce(:dueAt, s.due_at), content = coalesce(:content::jsonb, s.content),
    parts = coalesce(:parts::jsonb, s.parts), revision = s.revision + 1, attempts = 0, lease_until = null, updated_at = :now
  where s.account_id = :accountId and s.id = :messageId and s.due_at is not null returning ${SCHEDULED_COLUMNS}`,
);

async function store(ctx: Context, { id, chat_id }: ScheduledRow, change: Change): Promise<ScheduledRow> {
  const stored = await transaction(async (tx) => {
    const row = await update(tx, ctx, id, change);
    if (row === undefined) return null;
    const detail = {
      chat_id,
      ...(change.dueAt !== null && { send_at: change.dueAt.toISOString() }),
      ...(change.content !== null && { content: "changed" }),
    };
    await recordUserChange(tx, ctx, "message.rescheduled", id, detail);
    return row;
  });
  return stored ?? failWithoutScheduled(ctx, id);
}

async function update(tx: Sql, ctx: Context, messageId: string, change: Change) {
  const [row] = await tx.run(CHANGE_SCHEDULED_MESSAGE, {
    accountId: ctx.account.id,
    messageId,
    ...change,
    now: ctx.now,
  });
  return row;
}
