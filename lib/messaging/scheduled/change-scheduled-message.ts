import "server-only";
import { z } from "zod";
import { actorId, recordUserChange } from "@/lib/identity/audit/record-audit";
import { MessageContent } from "@/lib/messaging/content/message-content";
import { failWithoutScheduled } from "@/lib/messaging/scheduled/missing-scheduled";
import { pinFiles } from "@/lib/messaging/scheduled/pin-files";
import { findScheduled, scheduledId } from "@/lib/messaging/scheduled/schedule-message";
import { freeFiles, keepFiles, moveFiles, removeFiles } from "@/lib/messaging/scheduled/scheduled-files";
import {
  SCHEDULED_COLUMNS,
  ScheduledMessage,
  ScheduledParams,
  type ScheduledRow,
  toScheduledMessage,
} from "@/lib/messaging/scheduled/scheduled-message";
import { dueTimeOf, SendAt } from "@/lib/messaging/scheduled/send-at";
import {
  discardFilesOnFailure,
  type PreparedContent,
  prepareMessage,
} from "@/lib/messaging/sending/prepare-message";
import { SendMessage } from "@/lib/messaging/sending/send-message";
import type { Context } from "@/lib/platform/context";
import { contract, type Input, MESSAGE_BODY_LIMIT_BYTES } from "@/lib/platform/contract";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { redactRequestBodies } from "@/lib/request-log/retention/redact-request-bodies";

export const ChangeScheduledMessage = contract({
  summary: "Change a scheduled message",
  description:
    "Replaces a scheduled message by one with another time, other content or both. The response has its new ID; the old one is 404/2002 from then on. A time in the past sends it now. A message that was sent meanwhile fails with 2015. The idempotency key stays. A Trunkline extension.",
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
  dueAt: Date;
  isNewTime: boolean;
  prepared: PreparedContent | null;
}

/**
 * Replaces a message before it is due. Its id begins with its time, so the message that replaces it has another id.
 * Either this or the send takes the message's row: what was read before a change is not sent. New content is that of the
 * caller. Errors: as `ChangeScheduledMessage`; state_conflict when it was due, parameter_invalid for the content of a voice
 * memo, access_denied for a person's content in a message that overrides an opt-out.
 */
export async function changeScheduledMessage(
  ctx: Context,
  { params, body }: Input<typeof ChangeScheduledMessage>,
): Promise<ScheduledMessage> {
  const { messageId } = params;
  const asked = body.send_at === undefined ? null : (dueTimeOf(ctx, body.send_at) ?? ctx.now);
  const was = (await findScheduled(ctx, messageId)) ?? (await failWithoutScheduled(ctx, messageId));
  const dueAt = asked ?? was.due_at;
  const when = { dueAt, isNewTime: asked !== null };
  const row = await (body.message === undefined
    ? replace(ctx, was, { ...when, prepared: null })
    : replaceContent(ctx, was, body.message, when));

  if (asked !== null) sql.wake("scheduled");
  return toScheduledMessage(row);
}

async function replaceContent(
  ctx: Context,
  was: ScheduledRow,
  message: MessageContent,
  when: Omit<Change, "prepared">,
): Promise<ScheduledRow> {
  if (was.kind !== "content")
    fail("parameter_invalid", "message: the content of a voice memo can't be changed");
  // A person overrides an opt-out only with a reason, which a message of a token has not.
  if (was.override_optout && ctx.actor.type === "user")
    fail("access_denied", "this message overrides an opt-out: cancel it and send another one");
  const { idempotency_key: _, ...content } = message;
  const target = { chatId: was.chat_id, messageId: scheduledId(ctx, when.dueAt) };
  const prepared = await prepareMessage(ctx, content, target);
  if (prepared.replayOf !== null) throw new Error("content without a key repeats nothing");
  return discardFilesOnFailure(prepared, replace(ctx, was, { ...when, prepared }));
}

const REPLACE_SCHEDULED_MESSAGE = statement(
  "replace-scheduled-message",
  `update scheduled_messages s set id = :newId, due_at = :dueAt, content = coalesce(:content::jsonb, s.content),
    parts = coalesce(:parts::jsonb, s.parts), revision = s.revision + 1, attempts = 0, lease_until = null, updated_at = :now,
    quiet_choice = coalesce(:quietChoice, s.quiet_choice), asked_at = case when :endsHold then null else s.asked_at end,
    actor_type = coalesce(:actorType, s.actor_type), actor_id = case when :actorType::text is null then s.actor_id else :actorId::uuid end
  where s.account_id = :accountId and s.id = :messageId and s.revision = :revision and s.due_at is not null
  returning ${SCHEDULED_COLUMNS}`,
);

const KEEP_REPLACED_MESSAGE = statement(
  "keep-replaced-message",
  `insert into scheduled_messages (account_id, id, chat_id, override_optout, actor_type, trace_id, created_at, updated_at, canceled_at)
  values (:accountId, :messageId, :chatId, false, 'system', :traceId, :now, :now, :now)`,
);

async function replace(ctx: Context, was: ScheduledRow, change: Change): Promise<ScheduledRow> {
  const { dueAt, prepared } = change;
  const accountId = ctx.account.id;
  const { id: messageId, chat_id: chatId } = was;
  const newId = prepared?.messageId ?? scheduledId(ctx, dueAt);
  const stored = await transaction(async (tx) => {
    const row = await update(tx, ctx, was, { ...change, newId });
    if (row === undefined) return null;
    await tx.run(KEEP_REPLACED_MESSAGE, { accountId, messageId, chatId, traceId: ctx.traceId, now: ctx.now });
    const freed = prepared === null ? [] : await freeFiles(tx, { accountId, messageId });
    if (prepared === null) await moveFiles(tx, { accountId, messageId, newId });
    await keepFiles(tx, { accountId, messageIds: [newId], dueAt });
    const detail = {
      chat_id: chatId,
      replaces: messageId,
      send_at: dueAt.toISOString(),
      ...(prepared !== null && { content: "changed" }),
    };
    await recordUserChange(tx, ctx, "message.rescheduled", newId, detail);
    // Logged requests name the old id, which no later erasure knows.
    await redactRequestBodies(tx, accountId, [messageId]);
    return { row, freed };
  });
  if (stored === null) return failWithoutScheduled(ctx, messageId);
  await removeFiles(accountId, stored.freed);
  return stored.row;
}

async function update(
  tx: Sql,
  ctx: Context,
  was: ScheduledRow,
  { newId, dueAt, isNewTime, prepared }: Change & { newId: string },
) {
  const key = was.idempotency_key;
  const content = prepared && {
    ...pinFiles(prepared.content, prepared.parts),
    ...(key !== null && { idempotency_key: key }),
  };
  const byPerson = ctx.actor.type === "user";
  const [row] = await tx.run(REPLACE_SCHEDULED_MESSAGE, {
    accountId: ctx.account.id,
    messageId: was.id,
    revision: was.revision,
    newId,
    dueAt,
    content: content && JSON.stringify(content),
    parts: prepared && JSON.stringify(prepared.parts),
    actorType: prepared && ctx.actor.type,
    actorId: prepared && actorId(ctx.actor),
    // A person who sees the recipient's time decides; a new time is no longer that of the quiet hours.
    quietChoice: byPerson && isNewTime ? "ignore" : null,
    endsHold: byPerson || isNewTime,
    now: ctx.now,
  });
  return row;
}
