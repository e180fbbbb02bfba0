import "server-only";
import { z } from "zod";
import type { InboundMessage } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { serviceBetween } from "@/lib/adapters/transports/simulator/platforms";
import { sink } from "@/lib/adapters/transports/sink";
import { findVendorRef } from "@/lib/messaging/messages/find-vendor-ref";
import { ReplyTo } from "@/lib/messaging/messages/message-content";
import { MessageEffect } from "@/lib/messaging/messages/message-effect";
import type { Context } from "@/lib/platform/context";
import { contract, MESSAGE_BODY_LIMIT_BYTES } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import { maxUnits } from "@/lib/platform/max-units";
import { Handle, PhoneNumber } from "@/lib/platform/phone-handle";
import { type Conversation, findConversation } from "@/lib/simulator/find-conversation";
import { findPhone, PathHandle } from "@/lib/simulator/phone";
import { PhonePart, toInParts } from "@/lib/simulator/phone-part";
import { requireSandbox } from "@/lib/simulator/require-sandbox";

const MAX_TEXT = 10_000;
const MAX_OTHERS = 30;
const MAX_PARTS = 100;
const MAX_REPORTS = 5;

const PhoneText = z
  .object({
    to: z.union([z.uuid(), PhoneNumber]).describe("Number of a line, or ID of a chat that the phone is in."),
    text: z
      .string()
      .min(1)
      .check(maxUnits(MAX_TEXT))
      .optional()
      .describe("Short form for a message with one text part. Set either this or `parts`."),
    parts: z
      .array(PhonePart)
      .min(1)
      .max(MAX_PARTS)
      .optional()
      .describe(
        "Parts of the message in order. A poll or a voice memo must be the only part of its message.",
      ),
    also_to: z
      .array(Handle)
      .max(MAX_OTHERS)
      .default([])
      .describe("Other participants, for a new group with the line."),
    effect: MessageEffect.optional().describe("Effect of the message."),
    reply_to: ReplyTo.optional().describe("The message of the account to reply to."),
    late_seconds: z
      .int()
      .min(1)
      .max(86_400)
      .optional()
      .describe("Age of the message in seconds. The network reports it only now, as a missed message."),
    reports: z
      .int()
      .min(1)
      .max(MAX_REPORTS)
      .default(1)
      .describe("Number of times that the network reports the message. Only one message is stored."),
  })
  .refine(({ text, parts }) => (text === undefined) !== (parts === undefined), {
    message: "set exactly one of text and parts",
  })
  .refine(({ parts = [] }) => parts.length < 2 || !parts.some(isAlone), {
    message: "a poll or a voice memo must be the only part of its message",
  })
  .meta({ examples: [{ to: "+12025550100", text: "On my way!" }] });

function isAlone(part: z.infer<typeof PhonePart>): boolean {
  return part.type === "poll" || (part.type === "media" && part.voice_memo);
}

export const WriteFromPhone = contract({
  summary: "Send a message to a line or chat from a simulated phone",
  description:
    "Sends a message to a line or a chat as the person who holds the phone. Arrives as `message.received`. A message from a blocked phone is not stored, and both IDs are `null`.",
  tag: "Simulator",
  sandboxOnly: true,
  params: z.object({ handle: PathHandle }),
  body: PhoneText,
  bodyLimitBytes: MESSAGE_BODY_LIMIT_BYTES,
  returns: z
    .object({
      chat_id: z.uuid().nullable().describe("ID of the chat; `null` when nothing was stored."),
      message_id: z.uuid().nullable().describe("ID of the message; `null` when nothing was stored."),
    })
    .meta({
      examples: [
        {
          chat_id: "019ca9c2-4c02-7c53-ad22-4d8e3f607182",
          message_id: "019ca9c2-7310-7e75-8b44-6fa051829304",
        },
      ],
    }),
  status: 201,
  errors: [
    "field_missing",
    "phone_not_e164",
    "parameter_invalid",
    "name_unknown",
    "chat_not_found",
    "access_denied",
    "line_not_permitted",
    "state_conflict",
    "feature_not_available",
    "attachment_not_found",
    "attachment_not_ready",
    "download_failed",
    "file_type_invalid",
    "file_too_large",
    "content_type_mismatch",
    "image_download_failed",
  ],
  extension: true,
});

/**
 * A simulated phone sends a message. Resolves once it is received. Both ids are null when the message was dropped
 * because the handle is blocked. Errors: as `WriteFromPhone`.
 */
export async function writeFromPhone(ctx: Context, handle: string, body: z.input<typeof PhoneText>) {
  requireSandbox(ctx);
  const { to, text, parts, also_to, effect, reply_to, late_seconds, reports } = PhoneText.parse(body);
  const phone = await findPhone(ctx.account.id, handle);
  const conversation = await findConversation(ctx, phone.handle, to, also_to);
  if (!conversation.isUp) fail("state_conflict", "the line is down and receives nothing");

  const report = {
    type: "message",
    ref: newId(ctx.now.getTime()),
    groupRef: conversation.groupRef,
    from: phone.handle,
    others: conversation.others,
    service: serviceBetween(phone.platform, conversation.line.lineType),
    at: new Date(ctx.now.getTime() - (late_seconds ?? 0) * 1000),
    isLive: late_seconds === undefined,
    effect: effect ?? null,
    replyTo: reply_to === undefined ? null : await repliedTo(ctx, reply_to),
  } as const;
  // A file can be read only once, so each report builds its own parts.
  const withParts = async (): Promise<InboundMessage> => ({
    ...report,
    parts: await toInParts(ctx, parts ?? [{ type: "text", value: text ?? "" }]),
  });
  const inbound = await withParts();
  await sink().receive(conversation.line, [inbound]);
  for (let again = 1; again < reports; again++) {
    await sink().receive(conversation.line, [await withParts()]);
  }
  await storeOnPhones(conversation, inbound);

  return findWrittenMessage(conversation.line, inbound.ref);
}

// A message from a blocked handle was dropped, so its ref finds none.
async function findWrittenMessage({ accountId, id: lineId }: LineRef, ref: string) {
  const [written] = await sql.query<{ chat_id: string; message_id: string }>({
    name: "simulator-written",
    text: `select m.chat_id, m.id as message_id from transport_refs r
           join messages m on m.account_id = r.account_id and m.id = r.message_id
           where r.account_id = $1 and r.line_id = $2 and r.ref = $3`,
    values: [accountId, lineId, ref],
  });
  return written ?? { chat_id: null, message_id: null };
}

async function repliedTo(ctx: Context, { message_id, part_index }: z.infer<typeof ReplyTo>) {
  const ref = await findVendorRef(ctx.account.id, message_id);
  return {
    ref: ref ?? fail("state_conflict", "reply_to: the network has no message with this ID"),
    part: part_index,
  };
}

// Stores the message on the writer's phone and on the phones of the other group members.
async function storeOnPhones({ line, others }: Conversation, inbound: InboundMessage): Promise<void> {
  await sql.query({
    text: `insert into simulator_messages
             (account_id, line_id, handle, ref, sender, group_ref, service, parts, effect, created_at, delivered_at)
           select $1, $2, p.handle, $4, $3, $5, $6::text::service_type, $7, $10, $8, $8
           from simulator_phones p where p.account_id = $1 and p.handle = any($9::text[])
           on conflict do nothing`,
    values: [
      line.accountId,
      line.id,
      inbound.from,
      inbound.ref,
      inbound.groupRef,
      inbound.service,
      JSON.stringify(inbound.parts, (key, value) => (key === "isRequired" ? undefined : value)),
      inbound.at,
      [inbound.from, ...others],
      inbound.effect == null ? null : JSON.stringify(inbound.effect),
    ],
  });
}
