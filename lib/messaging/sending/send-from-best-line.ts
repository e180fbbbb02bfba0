import "server-only";
import { z } from "zod";
import {
  chooseSender,
  type FoundChat,
  lineTypeFor,
  type Sender,
  type SenderCriteria,
} from "@/lib/lines/senders/choose-sender";
import { failWithoutLine, withLineChoice } from "@/lib/lines/senders/pick-line";
import { toHealthStatus } from "@/lib/messaging/chats/chat";
import { getChat } from "@/lib/messaging/chats/get-chat";
import { iMessageNeed } from "@/lib/messaging/content/content-needs";
import { MessageContent, OverrideOptout } from "@/lib/messaging/content/message-content";
import type { SentMessage } from "@/lib/messaging/messages/message";
import { planSend, type SendPlan } from "@/lib/messaging/scheduled/plan-send";
import { QuietChoice } from "@/lib/messaging/scheduled/quiet-time";
import { SendAt } from "@/lib/messaging/scheduled/send-at";
import { findChoice, SentFromChoice, toChoiceFields } from "@/lib/messaging/sending/accept/sender-choice";
import { type StartedChat, startChat } from "@/lib/messaging/sending/accept/start-chat";
import {
  acceptPrepared,
  prepareMessage,
  type RepeatedContent,
} from "@/lib/messaging/sending/prepare-message";
import { introduceRecipients } from "@/lib/messaging/sending/recipient-port";
import { RepeatedSend } from "@/lib/messaging/sending/repeated-send";
import { acceptPlanned, repeatedMessage, SendMessage } from "@/lib/messaging/sending/send-message";
import type { Context } from "@/lib/platform/context";
import { contract, type Input, MESSAGE_BODY_LIMIT_BYTES } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";
import { IdempotencyHeaders } from "@/lib/platform/http/idempotency-headers";
import { maxUnits } from "@/lib/platform/text/max-units";
import { Handle, PhoneNumber } from "@/lib/platform/text/phone-handle";
import { toChatHandle } from "@/lib/recipients/handles/chat-handle";

const MAX_RECIPIENTS = 31;
const MAX_TEXT = 10_000;

export const SendFromBestLine = contract({
  summary: "Send a message from the best line",
  description:
    "Sends a message without naming a line. An existing chat with the same recipients is used if its line can send; otherwise a new chat starts on the best available line. `from_selection` in the response shows why the line was selected. With `?dry_run=true`, nothing is sent: every check runs and the response is 200 with the results.",
  tag: "Messages",
  right: "send_messages",
  headers: IdempotencyHeaders,
  body: z
    .object({
      to: z
        .array(Handle)
        .min(1)
        .max(MAX_RECIPIENTS)
        .describe("Recipients, 1 to 31. Several recipients make a group."),
      message: MessageContent.describe("The message."),
      continuation_message: z
        .object({
          text: z.string().min(1).check(maxUnits(MAX_TEXT)).describe("The text, 1 to 10000 characters."),
        })
        .optional()
        .describe(
          "Replaces `message` when the line of the existing chat cannot send and the conversation continues from another line.",
        ),
      exclude_from: z
        .array(PhoneNumber)
        .default([])
        .describe("Lines that must not start a new chat. An existing chat on such a line is still used."),
      override_optout: OverrideOptout,
      send_at: SendAt.describe(
        "Time at which to send the message (RFC 3339, with an offset, up to 30 days ahead, to the second). Absent or in the past sends it now. The chat and its line are selected when the request is made. A Trunkline extension.",
      ),
      quiet_hours: QuietChoice,
    })
    .meta({
      examples: [
        {
          to: ["+12025550123"],
          message: { parts: [{ type: "text", value: "Your table is ready." }] },
          continuation_message: { text: "Hi, this is Harbor Kitchen on a new number. Your table is ready." },
        },
      ],
    }),
  bodyLimitBytes: MESSAGE_BODY_LIMIT_BYTES,
  returns: SentFromChoice,
  status: 202,
  errors: [...SendMessage.errors, "phone_not_e164", "parameter_invalid", "state_conflict"],
});

type Body = Input<typeof SendFromBestLine>["body"];

/**
 * Sends into the existing chat with these recipients on a line that can send, otherwise into a new chat on the best
 * line (docs/contract.md, section 7.3). The idempotency key of the header takes precedence over the content's. Errors:
 * as `SendFromBestLine`.
 */
export async function sendFromBestLine(ctx: Context, input: Input<typeof SendFromBestLine>) {
  const send = toSend(input);
  const criteria = toCriteria(ctx, send);
  const { recipients, idempotencyKey } = criteria;
  await introduceRecipients(ctx, recipients);

  const plan = await planSend(ctx, { when: send, idempotencyKey, to: { handles: recipients } });
  if (plan.replayOf !== null) return repeated(ctx, plan.replayOf);
  const found = await chooseSender(sql, criteria);
  if (found.replayOf !== null) return repeated(ctx, found.replayOf);
  const sending = { send, criteria, plan };
  const sent =
    found.chat === null ? await sendAnew(ctx, sending, found) : await sendInto(ctx, sending, found.chat);

  return typeof sent === "string" ? repeated(ctx, sent) : sent;
}

/** The content of the request, with its idempotency key: the header takes precedence over the body. */
export function toSend({ headers, body }: Pick<Input<typeof SendFromBestLine>, "headers" | "body">): Body {
  const idempotency_key = headers["idempotency-key"] ?? body.message.idempotency_key;
  return { ...body, message: { ...body.message, idempotency_key } };
}

/** The criteria for the sending line. */
export function toCriteria(ctx: Context, { to, message, exclude_from }: Body): SenderCriteria {
  const recipients = [...new Set(to)];
  const needsIMessage = iMessageNeed(message) !== null || message.preferred_service === "iMessage";
  return {
    accountId: ctx.account.id,
    isSandbox: ctx.account.type === "sandbox",
    recipients,
    lineType: needsIMessage ? "iMessage" : lineTypeFor(recipients),
    excluded: exclude_from,
    idempotencyKey: message.idempotency_key ?? null,
  };
}

/** A response, or the id of the earlier message with the idempotency key. */
type Sent = z.infer<typeof SentFromChoice> | string;

interface Sending {
  send: Body;
  criteria: SenderCriteria;
  plan: SendPlan;
}

async function sendInto(ctx: Context, { send, plan }: Sending, chat: FoundChat): Promise<Sent> {
  const { message, override_optout: overrideOptout } = send;
  const prepared = await prepareMessage(ctx, message, { chatId: chat.id, messageId: plan.messageId });
  if (prepared.replayOf !== null) return prepared.replayOf;
  const accepting = acceptPlanned(ctx, { chatId: chat.id, prepared, overrideOptout, plan });
  const sent = await acceptPrepared(prepared, accepting);
  return sent.replayOf ?? toReused(chat, sent.message);
}

async function sendAnew(ctx: Context, { send, criteria, plan }: Sending, found: Sender): Promise<Sent> {
  const { line, flaggedChatId } = found;
  if (line === null) return failWithoutLine(found);
  const content = flaggedChatId === null ? send.message : toContinuation(send);
  const target = { lineId: line.id, recipients: criteria.recipients, messageId: plan.messageId };
  const prepared = await prepareMessage(ctx, content, target);
  if (prepared.replayOf !== null) return prepared.replayOf;
  const overrideOptout = send.override_optout;
  const beginning = withLineChoice(criteria, async (tx, sender) => {
    const begun = await startChat(tx, ctx, { sender, prepared, criteria, overrideOptout, plan });
    return { replayOf: null, begun };
  });
  const sent = await acceptPrepared(prepared, beginning.catch(toRepeat));
  return sent.replayOf ?? toAnswer(ctx, sent.begun);
}

function toRepeat(error: unknown): RepeatedContent {
  if (error instanceof RepeatedSend) return { replayOf: error.messageId };
  throw error;
}

/**
 * The message is written for recipients who know the line. When another line continues the conversation, the
 * continuation message replaces it.
 */
export function toContinuation({ message, continuation_message }: Body): MessageContent {
  if (continuation_message === undefined) return message;
  const { idempotency_key, preferred_service } = message;
  const parts = [{ type: "text", value: continuation_message.text }];
  return MessageContent.parse({ parts, idempotency_key, preferred_service });
}

function toReused(chat: FoundChat, message: SentMessage): z.infer<typeof SentFromChoice> {
  const { line } = chat;
  return {
    chat_id: chat.id,
    from: line.phoneNumber,
    handles: chat.participants.map((participant) => toChatHandle(participant, line.lineType)),
    health_status: toHealthStatus(chat.healthStatus, chat.healthUpdatedAt),
    is_group: chat.isGroup,
    line_type: line.lineType === "iMessage" ? "iMessage" : "RCS",
    message,
    service: chat.service ?? line.lineType,
    ...toChoiceFields({ reason: "reused_active_chat", previousChatId: null }),
  };
}

async function toAnswer(ctx: Context, { chatId, from, message, choice }: StartedChat) {
  const chat = await getChat(ctx, { params: { chatId }, query: undefined, body: undefined });
  const { handles, health_status, is_group, line_type } = chat;
  return {
    chat_id: chatId,
    from,
    handles,
    health_status,
    is_group,
    line_type,
    message,
    service: chat.service ?? line_type,
    ...toChoiceFields(choice),
  };
}

/** The response to a repeated idempotency key: the original message, with its choice. Errors: message_not_found. */
async function repeated(ctx: Context, messageId: string) {
  const { chat_id, message } = await repeatedMessage(ctx, messageId);
  const from = message.from_handle?.handle ?? fail("message_not_found");
  return toAnswer(ctx, { chatId: chat_id, from, message, choice: await findChoice(ctx, messageId) });
}
