import "server-only";
import { z } from "zod";
import { recordUserChange } from "@/lib/identity/audit/record-audit";
import { findOwnLine } from "@/lib/lines/lines/find-line";
import { HealthStatus, type toChat } from "@/lib/messaging/chats/chat";
import { getChat } from "@/lib/messaging/chats/get-chat";
import { type ChatToOpen, openChat } from "@/lib/messaging/chats/open-chat";
import { requireCreatedGroup } from "@/lib/messaging/chats/require-group";
import { MessageContent, OverrideOptout } from "@/lib/messaging/content/message-content";
import { EXAMPLE_SENT_MESSAGE, SentMessage } from "@/lib/messaging/messages/message";
import { planSend, type SendPlan } from "@/lib/messaging/scheduled/plan-send";
import { QuietChoice } from "@/lib/messaging/scheduled/quiet-time";
import { SendAt } from "@/lib/messaging/scheduled/send-at";
import {
  acceptPrepared,
  type PreparedContent,
  prepareMessage,
} from "@/lib/messaging/sending/prepare-message";
import { introduceRecipients } from "@/lib/messaging/sending/recipient-port";
import { rejectFirstLinks } from "@/lib/messaging/sending/reject-first-links";
import { RepeatedSend } from "@/lib/messaging/sending/repeated-send";
import { acceptPlanned, repeatedMessage, SendMessage } from "@/lib/messaging/sending/send-message";
import type { Context } from "@/lib/platform/context";
import { contract, type Input, MESSAGE_BODY_LIMIT_BYTES } from "@/lib/platform/contract";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { Handle, PhoneNumber } from "@/lib/platform/text/phone-handle";
import { ChatHandle, ServiceType } from "@/lib/recipients/handles/chat-handle";
import { EXAMPLE_CONTACT, EXAMPLE_LINE } from "@/lib/recipients/handles/example-handles";

const MAX_RECIPIENTS = 31;

export const CreateChat = contract({
  summary: "Create a chat with its first message",
  description:
    "Creates a chat between one of your lines and one or more recipients, and sends the first message. With several recipients the chat is a group. If a chat with the same line and recipients exists, the message is sent to that chat. The message is accepted immediately with `delivery_status: pending`; webhook events report its outcome. With `?dry_run=true`, nothing is sent: every check runs and the response is 200 with the results.",
  tag: "Chats",
  right: "send_messages",
  body: z
    .object({
      from: PhoneNumber.describe("Your line to send from."),
      to: z
        .array(Handle)
        .min(1)
        .max(MAX_RECIPIENTS)
        .describe("Recipients, 1 to 31. Several recipients make a group."),
      message: MessageContent.describe("The first message."),
      override_optout: OverrideOptout,
      send_at: SendAt,
      quiet_hours: QuietChoice,
    })
    .meta({
      examples: [
        {
          from: "+12025550100",
          to: ["+12025550123"],
          message: { parts: [{ type: "text", value: "Your table is ready." }] },
        },
      ],
    }),
  bodyLimitBytes: MESSAGE_BODY_LIMIT_BYTES,
  returns: z
    .object({
      chat: z
        .object({
          id: z.uuid().describe("ID of the chat."),
          display_name: z
            .string()
            .nullable()
            .describe("Name of the chat. Defaults to a comma-separated list of recipient handles."),
          handles: z.array(ChatHandle).describe("Participants of the chat, including your line."),
          health_status: HealthStatus,
          is_group: z
            .boolean()
            .describe("`true` if the chat is a group, that is, has more than one recipient."),
          message: SentMessage.describe("The accepted message."),
          service: ServiceType.describe("Service of the chat."),
        })
        .describe("The chat with the message that was accepted."),
    })
    .meta({
      examples: [
        {
          chat: {
            id: "019ca9c2-4c02-7c53-ad22-4d8e3f607182",
            display_name: "+12025550123",
            handles: [EXAMPLE_LINE, EXAMPLE_CONTACT],
            health_status: {
              status: "HEALTHY",
              doc_url: "https://docs.example.com/guides/chats/chat-health#healthy",
              updated_at: "2026-03-01T12:00:00.000Z",
            },
            is_group: false,
            message: EXAMPLE_SENT_MESSAGE,
            service: "iMessage",
          },
        },
      ],
    }),
  status: 201,
  errors: [...SendMessage.errors, "chat_being_created", "phone_not_e164", "line_not_permitted"],
});

/**
 * Sends a message into the line's existing chat with these recipients or into a new one
 * (docs/contract.md, section 5.2). Chat, participants, message and events are stored in one transaction. Errors: as
 * `CreateChat`.
 */
export async function createChat(ctx: Context, { body }: Input<typeof CreateChat>) {
  const toOpen = await toChatToOpen(ctx, body);
  const sent = await findEarlierOrSend(ctx, toOpen, body);
  const { chat_id, message } = sent.replayOf === null ? sent : await repeatedMessage(ctx, sent.replayOf);

  const chat = await getChat(ctx, { params: { chatId: chat_id }, query: undefined, body: undefined });
  return { chat: toCreatedChat(chat, message, toOpen.service) };
}

type Body = Input<typeof CreateChat>["body"];

async function findEarlierOrSend(ctx: Context, toOpen: ChatToOpen, body: Body) {
  const { message, override_optout: overrideOptout } = body;
  const { line, recipients } = toOpen;
  const to = { handles: recipients };
  const plan = await planSend(ctx, { when: body, idempotencyKey: message.idempotency_key, to });
  if (plan.replayOf !== null) return plan;
  const target = { lineId: line.id, recipients, messageId: plan.messageId };
  const prepared = await prepareMessage(ctx, message, target);
  if (prepared.replayOf !== null) return prepared;
  return acceptPrepared(prepared, openAndSend(ctx, { toOpen, prepared, overrideOptout, plan }));
}

/**
 * Returns the line and the recipients of a first message. Errors: line_not_permitted, parameter_invalid,
 * chat_being_created.
 */
export async function toChatToOpen(ctx: Context, { from, to, message }: Body): Promise<ChatToOpen> {
  const recipients = [...new Set(to)];
  const line = await findOwnLine(ctx, from);
  await introduceRecipients(ctx, recipients);
  if (recipients.includes(line.phoneNumber)) fail("parameter_invalid", "to: a line can't message itself");
  const isRepeat = recipients.length > 1 && (await isKeyUsed(ctx, message.idempotency_key));
  if (!isRepeat) await requireCreatedGroup(ctx, line, recipients);

  const service = message.preferred_service ?? line.lineType;
  return { accountId: ctx.account.id, line, recipients, service, traceId: ctx.traceId, at: ctx.now };
}

const IS_SEND_KEY_USED = statement(
  "is-send-key-used",
  "select 1 from messages where account_id = :accountId and idempotency_key = :idempotencyKey",
);

// A repeated send returns the original even while the transport is creating the group (docs/contract.md, section 4.1).
async function isKeyUsed(ctx: Context, key: string | undefined): Promise<boolean> {
  if (key === undefined) return false;
  const rows = await sql.run(IS_SEND_KEY_USED, { accountId: ctx.account.id, idempotencyKey: key });
  return rows.length > 0;
}

interface First {
  toOpen: ChatToOpen;
  prepared: PreparedContent;
  overrideOptout: boolean;
  plan: SendPlan;
}

/**
 * Accepts a first message into its chat, which is opened when there is none, or schedules it there. Errors:
 * parameter_invalid, and as `SendMessage`.
 */
export async function acceptFirst(tx: Sql, ctx: Context, { toOpen, prepared, overrideOptout, plan }: First) {
  const { chatId, created } = await openChat(tx, toOpen);
  if (created) await rejectFirstLinks(ctx, prepared.content);
  const sent = await acceptPlanned(ctx, { chatId, prepared, overrideOptout, plan }, tx);
  if (sent.replayOf === null && plan.dueAt === null) {
    await recordUserChange(tx, ctx, "message.sent", prepared.messageId, { chat_id: chatId });
  }
  return { chatId, sent };
}

async function openAndSend(ctx: Context, first: First) {
  try {
    return await transaction(async (tx) => {
      const { chatId, sent } = await acceptFirst(tx, ctx, first);
      if (sent.replayOf !== null) throw new RepeatedSend(sent.replayOf);
      return { replayOf: null, chat_id: chatId, message: sent.message };
    });
  } catch (error) {
    if (error instanceof RepeatedSend) return { replayOf: error.messageId };
    throw error;
  }
}

function toCreatedChat(
  chat: ReturnType<typeof toChat>,
  message: SentMessage,
  service: z.infer<typeof ServiceType>,
) {
  return {
    id: chat.id,
    display_name: chat.display_name,
    handles: chat.handles,
    health_status: chat.health_status,
    is_group: chat.is_group,
    message,
    service: chat.service ?? service,
  };
}
