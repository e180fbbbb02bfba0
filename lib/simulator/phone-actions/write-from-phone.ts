import "server-only";
import { z } from "zod";
import type { InboundMessage } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { type Disturbance, inboundDisturbanceOf } from "@/lib/adapters/transports/simulator/apply-fault";
import { serviceBetween } from "@/lib/adapters/transports/simulator/platforms";
import { sink } from "@/lib/adapters/transports/sink";
import { ReplyTo } from "@/lib/messaging/content/message-content";
import { MessageEffect } from "@/lib/messaging/content/message-effect";
import { findVendorRef } from "@/lib/messaging/messages/find-vendor-ref";
import type { Context } from "@/lib/platform/context";
import { contract, MESSAGE_BODY_LIMIT_BYTES } from "@/lib/platform/contract";
import { seededId } from "@/lib/platform/crypto/seeded-id";
import { batched } from "@/lib/platform/database/batch";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { newId } from "@/lib/platform/ids";
import { maxUnits } from "@/lib/platform/text/max-units";
import { Handle, PhoneNumber } from "@/lib/platform/text/phone-handle";
import { PathHandle } from "@/lib/simulator/phone";
import { delayMessage, type MessageReport } from "@/lib/simulator/phone-actions/delayed-messages";
import { type Conversation, findWriter } from "@/lib/simulator/phone-actions/find/find-conversation";
import { requireShown } from "@/lib/simulator/phone-actions/find/find-phone-message";
import { untilOnNetwork } from "@/lib/simulator/phone-actions/find/until-on-network";
import { type NewPhonePart, PhonePart, toInParts } from "@/lib/simulator/phone-actions/phone-part";
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
    "Sends a message to a line or a chat as the person who holds the phone. Arrives as `message.received`. A message from a blocked phone is not stored, and both IDs are `null`. Both are also `null` for a message that an injected fault drops or holds back.",
  tag: "Simulator",
  right: "send_messages",
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
 * because the handle is blocked, or when an injected fault drops the message or holds it back. Errors: as `WriteFromPhone`.
 */
export async function writeFromPhone(ctx: Context, handle: string, body: z.input<typeof PhoneText>) {
  requireSandbox(ctx);
  const { to, text, parts, also_to, effect, reply_to, late_seconds, reports } = PhoneText.parse(body);
  const { conversation, ...phone } = await findWriter(ctx, handle, to, also_to);
  if (!conversation.isUp) fail("state_conflict", "the line is down and receives nothing");

  const report = {
    type: "message",
    ref: newId(ctx.now.getTime(), ctx.account.id, "phone message", phone.handle),
    groupRef: conversation.groupRef,
    from: phone.handle,
    others: conversation.others,
    service: serviceBetween(phone.platform, conversation.line.lineType),
    at: new Date(ctx.now.getTime() - (late_seconds ?? 0) * 1000),
    isLive: late_seconds === undefined,
    effect: effect ?? null,
    replyTo: reply_to === undefined ? null : await repliedTo(ctx, conversation.line.id, reply_to),
  } as const;
  const written = parts ?? [{ type: "text" as const, value: text ?? "" }];
  // A file can be read only once, so each report builds its own parts.
  const withParts = async (): Promise<InboundMessage> => ({
    ...report,
    parts: await toInParts(ctx, written),
  });
  const inbound = await withParts();
  const disturbance = await inboundDisturbanceOf(conversation.line, phone.handle);
  if (disturbance !== null) {
    await passDisturbed(ctx, { line: conversation.line, report, parts: written }, disturbance);
    return storeOnPhones({ conversation, inbound });
  }
  await sink().receive(conversation.line, [inbound]);
  for (let again = 1; again < reports; again++) {
    await sink().receive(conversation.line, [await withParts()]);
  }
  return storeOnPhones({ conversation, inbound });
}

/** Passes a message to its line as an injected fault lets the network do it: never, late, or as two messages. */
async function passDisturbed(
  ctx: Context,
  { line, report, parts }: { line: LineRef; report: MessageReport; parts: readonly NewPhonePart[] },
  { delayMs, isDuplicated }: Disturbance,
): Promise<void> {
  if (delayMs === null) return;
  if (delayMs > 0) return delayMessage(ctx, { line, report, parts, delayMs });
  const refs = isDuplicated ? [report.ref, seededId(report.ref, "duplicate")] : [report.ref];
  for (const ref of refs)
    await sink().receive(line, [{ ...report, ref, parts: await toInParts(ctx, parts) }]);
}

async function repliedTo(ctx: Context, lineId: string, { message_id, part_index }: z.infer<typeof ReplyTo>) {
  const find = () => findVendorRef(ctx.account.id, message_id);
  const known = await find();
  if (known === null) await untilOnNetwork(ctx.account.id, message_id);
  const ref = known ?? (await find());
  if (ref === null) fail("state_conflict", "reply_to: the network has no message with this ID");
  await requireShown(ctx.account.id, lineId, ref);
  return { ref, part: part_index };
}

interface Written {
  conversation: Conversation;
  inbound: InboundMessage;
}

type StoredIds = RowOf<"simulator-write">;

/**
 * Stores the message on the writer's phone and on the phones of the other group members, where it waits for a phone
 * without a connection. Returns the ids of the message
 * in Trunkline; both are null for a message from a blocked handle, which was dropped.
 */
const storeOnPhones = batched<Written, StoredIds>({
  runOne: async (written) => (await insertOnPhones([written]))[0] ?? { chat_id: null, message_id: null },
  runMany: insertOnPhones,
  besideAfterMs: 1,
});

const SIMULATOR_WRITE = statement(
  "simulator-write",
  `with t as (
    select * from unnest(:accountIds::uuid[], :lineIds::uuid[], :refs::text[], :froms::text[], :groupRefs::text[], :services::text[], :parts::jsonb[],
      :written::jsonb[], :inboundAts::timestamptz[])
      with ordinality as t(account_id, line_id, ref, sender, group_ref, service, parts, effect, at, ord)
  ), stored as (
    insert into simulator_messages
      (account_id, line_id, handle, ref, sender, group_ref, service, parts, effect, created_at, delivered_at,
        pending_receipt, due_at)
    select t.account_id, t.line_id, p.handle, t.ref, t.sender, t.group_ref, t.service::service_type, t.parts,
      t.effect, t.at, case when p.is_online then t.at end, case when not p.is_online then 'delivered' end,
      case when not p.is_online then t.at end
    from unnest(:indexes::int[], :handles::text[]) as copy(index, handle) join t on t.ord = copy.index + 1
    cross join lateral (
      select handle, connection = 'online' as is_online from simulator_phones p
      where p.account_id = t.account_id and p.handle = copy.handle offset 0
    ) p
    on conflict do nothing
  )
  select m.chat_id, m.id as message_id
  from t left join lateral (
    select message_id from transport_refs r
    where r.account_id = t.account_id and r.line_id = t.line_id and r.ref = t.ref offset 0
  ) r on true left join lateral (
    select m.id, m.chat_id from messages m
    where m.account_id = t.account_id and m.id = r.message_id offset 0
  ) m on true
  order by t.ord`,
);

function insertOnPhones(written: Written[]): Promise<StoredIds[]> {
  const copies = written.flatMap(({ conversation: { others }, inbound }, index) =>
    [inbound.from, ...others].map((handle) => ({ index, handle })),
  );
  return sql.run(SIMULATOR_WRITE, {
    accountIds: written.map(({ conversation }) => conversation.line.accountId),
    lineIds: written.map(({ conversation }) => conversation.line.id),
    refs: written.map(({ inbound }) => inbound.ref),
    froms: written.map(({ inbound }) => inbound.from),
    groupRefs: written.map(({ inbound }) => inbound.groupRef),
    services: written.map(({ inbound }) => inbound.service),
    parts: written.map(({ inbound }) => JSON.stringify(inbound.parts, withoutSettings)),
    written: written.map(({ inbound }) => (inbound.effect == null ? null : JSON.stringify(inbound.effect))),
    inboundAts: written.map(({ inbound }) => inbound.at),
    indexes: copies.map(({ index }) => index),
    handles: copies.map(({ handle }) => handle),
  });
}

function withoutSettings(key: string, value: unknown): unknown {
  return key === "isRequired" ? undefined : value;
}
