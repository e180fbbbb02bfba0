import "server-only";
import { z } from "zod";
import { actorId } from "@/lib/identity/audit/record-audit";
import { ChatParams } from "@/lib/messaging/chats/chat";
import { throwNotFoundOrDenied } from "@/lib/messaging/chats/find-chat";
import { MessageContent, OverrideOptout } from "@/lib/messaging/content/message-content";
import { toResponsePart } from "@/lib/messaging/content/message-part";
import { findSentMessage } from "@/lib/messaging/messages/find-message";
import { SentMessage } from "@/lib/messaging/messages/message";
import { planSend, type SendPlan } from "@/lib/messaging/scheduled/plan-send";
import { QuietChoice } from "@/lib/messaging/scheduled/quiet-time";
import { findScheduledAnswer, scheduleMessage } from "@/lib/messaging/scheduled/schedule-message";
import { SendAt } from "@/lib/messaging/scheduled/send-at";
import {
  type Accepted,
  acceptMessage,
  type NewMessage,
  type Outcome,
} from "@/lib/messaging/sending/accept/accept-message";
import { PAIR_WINDOW_SECONDS } from "@/lib/messaging/sending/pair-window";
import {
  acceptPrepared,
  type PreparedContent,
  prepareMessage,
  type RepeatedContent,
} from "@/lib/messaging/sending/prepare-message";
import { extendHold } from "@/lib/messaging/team/extend-hold";
import { endTeamNotice } from "@/lib/messaging/team/team-notice";
import type { Context } from "@/lib/platform/context";
import { contract, type Input, MESSAGE_BODY_LIMIT_BYTES } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { type ErrorName, fail, failRateLimited } from "@/lib/platform/errors/errors";
import { newId } from "@/lib/platform/ids";
import { limitAdvice } from "@/lib/platform/sandbox/limit-resets";
import { toChatHandle } from "@/lib/recipients/handles/chat-handle";

export const SendMessage = contract({
  summary: "Send a message to a chat",
  description:
    "Sends a message to a chat. The message is accepted immediately with `delivery_status: pending`; webhook events report its outcome. The limit is 30 messages per minute from one line to one recipient. With `?dry_run=true`, nothing is sent: every check runs and the response is 200 with the results.",
  tag: "Messages",
  right: "send_messages",
  params: ChatParams,
  body: z
    .object({
      message: MessageContent.describe("The message."),
      override_optout: OverrideOptout,
      send_at: SendAt,
      quiet_hours: QuietChoice,
    })
    .meta({
      examples: [
        {
          message: {
            parts: [{ type: "text", value: "Your table is ready." }],
            idempotency_key: "order-1042-ready",
          },
        },
      ],
    }),
  bodyLimitBytes: MESSAGE_BODY_LIMIT_BYTES,
  returns: z.object({
    chat_id: z.uuid().describe("ID of the chat of the message."),
    message: SentMessage.describe("The accepted message."),
  }),
  status: 202,
  errors: [
    "field_missing",
    "content_invalid",
    "phone_not_e164",
    "chat_not_found",
    "access_denied",
    "message_not_found",
    "chat_unavailable",
    "recipient_not_allowed",
    "opted_out",
    "recipient_blocked",
    "line_restricted",
    "rate_limited",
    "service_not_supported",
    "app_message_invalid",
    "app_clip_invalid",
    "parameter_invalid",
    "app_message_needs_imessage",
    "app_clip_needs_imessage",
    "group_required",
    "state_conflict",
    "type_not_supported",
    "sender_not_eligible",
    "service_unavailable",
    "rcs_account_missing",
    "rcs_check_unavailable",
    "attachment_not_found",
    "attachment_not_ready",
    "download_failed",
    "file_type_invalid",
    "file_too_large",
    "content_type_mismatch",
    "image_download_failed",
    "quiet_hours",
  ],
});

/**
 * Accepts a message for sending. When this returns, the message, its event and its job are durably stored
 * (docs/contract.md, section 7.2). A repeated idempotency key returns the original message, or fails with
 * message_not_found if that was deleted.
 */
export async function sendMessage(ctx: Context, { params, body }: Input<typeof SendMessage>) {
  const { chatId } = params;
  const { message, override_optout: overrideOptout } = body;
  const plan = await planSend(ctx, { when: body, idempotencyKey: message.idempotency_key, to: { chatId } });
  if (plan.replayOf !== null) return repeatedMessage(ctx, plan.replayOf);
  const prepared = await prepareMessage(ctx, message, { chatId, messageId: plan.messageId });
  if (prepared.replayOf !== null) return repeatedMessage(ctx, prepared.replayOf);

  const accepting = acceptPlanned(ctx, { chatId, prepared, overrideOptout, plan });
  const sent = await acceptPrepared(prepared, accepting);
  if (sent.replayOf !== null) return repeatedMessage(ctx, sent.replayOf);
  return { chat_id: chatId, message: sent.message };
}

/**
 * The response to a repeated idempotency key: the original message in its chat, sent or scheduled. Errors:
 * message_not_found.
 */
export async function repeatedMessage(ctx: Context, messageId: string) {
  const { chatId, message } = await findSentMessage(ctx, messageId).catch(async (error: unknown) => {
    const scheduled = await findScheduledAnswer(ctx, messageId);
    if (scheduled === null) throw error;
    return scheduled;
  });
  return { chat_id: chatId, message };
}

/** An accepted message, or the id of the earlier one with its idempotency key. */
export type SentContent = { replayOf: null; message: SentMessage } | RepeatedContent;

/** Prepared content for a chat, with the plan of its send. */
interface PlannedContent {
  chatId: string;
  prepared: PreparedContent;
  overrideOptout: boolean;
  plan: SendPlan;
}

/**
 * Accepts prepared content into a chat now, or schedules it, as planned; in the caller's transaction when `tx` is given. Errors: as
 * `SendMessage`.
 */
export async function acceptPlanned(ctx: Context, planned: PlannedContent, tx?: Sql): Promise<SentContent> {
  const { chatId, prepared, overrideOptout, plan } = planned;
  const { dueAt } = plan;
  if (dueAt === null) return acceptContent(ctx, chatId, prepared, overrideOptout, tx);
  if (tx === undefined) return transaction((own) => acceptPlanned(ctx, planned, own));
  return scheduleMessage(tx, ctx, { ...plan, dueAt, chatId, prepared, overrideOptout });
}

/** Accepts prepared content into a chat, in the caller's transaction when `tx` is given. Errors: as `SendMessage`. */
export async function acceptContent(
  ctx: Context,
  chatId: string,
  prepared: PreparedContent,
  overrideOptout: boolean,
  tx?: Sql,
): Promise<SentContent> {
  const { effects = [], messageId } = prepared;
  if (effects.length > 0 && tx === undefined) {
    return transaction((own) => acceptContent(ctx, chatId, prepared, overrideOptout, own));
  }
  const message = toNewMessage(ctx, chatId, prepared, overrideOptout);

  const accepted = await acceptMessage(message, tx);
  if (accepted.replayOf !== null) return { replayOf: accepted.replayOf };
  if (accepted.outcome === "chat_missing") return throwNotFoundOrDenied(chatId);
  if (accepted.outcome === "pair_limit") failPairLimit(ctx, accepted.oldestInWindow);
  if (accepted.outcome === "daily_limit") failDailyLimit(ctx);
  if (accepted.outcome === "taken_over") failTakenOver(accepted.hold);
  if (accepted.outcome !== "accepted") fail(REFUSALS[accepted.outcome], DETAILS[accepted.outcome]);

  if (tx !== undefined) {
    await extendHold(tx, ctx, chatId);
    if (ctx.actor.type === "user") await endTeamNotice(tx, ctx, chatId);
    const acceptedAt = { accountId: ctx.account.id, chatId, messageId, at: accepted.createdAt };
    for (const effect of effects) await effect(tx, acceptedAt);
  }

  return { replayOf: null, message: toAcceptedMessage(prepared, accepted) };
}

const REFUSALS = {
  account_archived: "access_denied",
  chat_left: "chat_unavailable",
  unreachable: "phone_not_e164",
  line_restricted: "line_restricted",
  service_unsupported: "service_not_supported",
  reply_missing: "message_not_found",
  reply_part_missing: "parameter_invalid",
  blocked: "recipient_blocked",
  opted_out: "opted_out",
  never_wrote: "recipient_not_allowed",
  loop_held: "state_conflict",
  replay: "message_not_found",
} as const satisfies Record<
  Exclude<Outcome, "accepted" | "chat_missing" | "pair_limit" | "daily_limit" | "taken_over">,
  ErrorName
>;

const DETAILS: Partial<Record<Outcome, string>> = {
  unreachable: "this chat is with a short code or a sender's name, which can't be answered",
  account_archived: "this account was archived: ask an admin to restore it",
  loop_held:
    "this chat is on hold, because two programs seem to answer each other: send again after a person has resumed it in the dashboard, or the contact has not written for 60 minutes (chat.resumed)",
  reply_part_missing: "message.reply_to.part_index: the message has no part with this index",
};

// The limit allows a send again when the oldest message leaves the window.
function failPairLimit(ctx: Context, oldest: Date | null): never {
  const freeAt = (oldest ?? ctx.now).getTime() + PAIR_WINDOW_SECONDS * 1000;
  const seconds = Math.max(1, Math.ceil((freeAt - ctx.now.getTime()) / 1000));
  return failRateLimited(seconds, limitAdvice(ctx.account.type));
}

function failDailyLimit({ account, now }: Context): never {
  return failRateLimited(secondsToMidnight(now), limitAdvice(account.type));
}

// The name of a person can be an email address, which is not the program's business.
function failTakenOver(hold: Accepted["hold"]): never {
  const { name = null, until } = hold ?? {};
  const holder = name === null || name.includes("@") ? "a team member" : name;
  const back = until === undefined ? "" : `, until ${until.toISOString()} unless extended`;
  return fail(
    "state_conflict",
    `${holder} has taken over this chat${back}: send again after the chat is handed back`,
  );
}

function secondsToMidnight(at: Date): number {
  const dayMs = 86_400_000;
  return Math.ceil((dayMs - (at.getTime() % dayMs)) / 1000);
}

function toNewMessage(
  ctx: Context,
  chatId: string,
  { messageId, content, parts }: PreparedContent,
  overrideOptout: boolean,
): NewMessage {
  const at = ctx.now.getTime();
  return {
    accountId: ctx.account.id,
    isSandbox: ctx.account.type === "sandbox",
    chatId,
    id: messageId,
    eventId: newId(at, ctx.account.id, "message.accepted", messageId),
    parts: JSON.stringify(parts),
    effect: content.effect === undefined ? null : JSON.stringify(content.effect),
    replyTo: content.reply_to === undefined ? null : JSON.stringify(content.reply_to),
    repliedTo: content.reply_to?.message_id ?? null,
    preferredService: content.preferred_service ?? null,
    idempotencyKey: content.idempotency_key ?? null,
    overrideOptout,
    actor: { type: ctx.actor.type, id: actorId(ctx.actor) },
    traceId: ctx.traceId,
    requestedAt: ctx.now,
  };
}

function toAcceptedMessage({ messageId, content, parts }: PreparedContent, accepted: Accepted): SentMessage {
  return {
    id: messageId,
    created_at: accepted.createdAt.toISOString(),
    delivery_status: accepted.deliveryStatus,
    is_read: false,
    parts: parts.map(toResponsePart),
    sent_at: null,
    delivered_at: null,
    effect: content.effect ?? null,
    from_handle: toChatHandle(accepted.sender, accepted.lineType),
    preferred_service: content.preferred_service ?? null,
    reply_to: content.reply_to ?? null,
    service: null,
  };
}
