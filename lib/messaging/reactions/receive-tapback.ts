import "server-only";
import type { InboundMessage } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { StoredPart } from "@/lib/messaging/content/message-part";
import { lockMessage } from "@/lib/messaging/messages/locked-message";
import { changeReaction } from "@/lib/messaging/reactions/change-reaction";
import { parseTapback, quotes, type Tapback } from "@/lib/messaging/reactions/parse-tapback";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";
import { isBlocked } from "@/lib/recipients/blocks/is-blocked";

/** People react to what they see on their screen. */
const LAST_MESSAGES = 50;

/**
 * Stores a text over SMS or RCS in the form of a tapback as the reaction that it is, if its quotation is that of one of
 * the last messages of the chat. It then neither begins nor ends an opt-out (docs/contract.md, section 8.2). Returns
 * false for any other message, which is stored as it is.
 */
export async function receiveTapback(
  line: LineRef,
  inbound: InboundMessage,
  traceId: string,
): Promise<boolean> {
  const [only, ...more] = inbound.parts;
  if (inbound.service === "iMessage" || only?.type !== "text" || more.length > 0) return false;
  const tapback = parseTapback(only.value);
  if (tapback === null) return false;
  return transaction(async (tx) => {
    const target = await findTarget(tx, line, inbound, tapback);
    return target !== null && (await store(tx, line, { inbound, tapback, target, traceId }));
  });
}

interface Target {
  messageId: string;
  part: number;
}

interface Arrived {
  inbound: InboundMessage;
  tapback: Tapback;
  target: Target;
  traceId: string;
}

const LAST_MESSAGES_OF_CHAT = statement(
  "last-messages-of-chat",
  `select m.id, m.parts as "parts: StoredPart[]" from (
    select c.account_id, c.id from chats c
    where c.account_id = :accountId and c.line_id = :lineId
      and case when :groupRef::text is null then c.participants_key = :from else c.transport_ref = :groupRef end limit 1
  ) c cross join lateral (
    select m.id, m.parts, m.position, m.deleted_at from messages m
    where m.account_id = c.account_id and m.chat_id = c.id order by m.position desc limit ${LAST_MESSAGES}
  ) m where m.deleted_at is null order by m.position desc`,
);

async function findTarget(
  tx: Sql,
  line: LineRef,
  { groupRef, from }: InboundMessage,
  { about }: Tapback,
): Promise<Target | null> {
  const rows = await tx.run(LAST_MESSAGES_OF_CHAT, {
    accountId: line.accountId,
    lineId: line.id,
    from,
    groupRef,
  });
  for (const { id, parts } of rows) {
    const part = parts.findIndex((each) => isAbout(each, about));
    if (part !== -1) return { messageId: id, part };
  }
  return null;
}

function isAbout(part: StoredPart, about: Tapback["about"]): boolean {
  if ("text" in about) {
    return (part.type === "text" || part.type === "link") && quotes(about.text, part.value);
  }
  return part.type === "media" && part.mime_type.startsWith(about.file);
}

async function store(
  tx: Sql,
  line: LineRef,
  { inbound, tapback, target, traceId }: Arrived,
): Promise<boolean> {
  const message = await lockMessage(tx, line.accountId, target.messageId);
  const who = [...(message?.handles.values() ?? [])].find(({ handle }) => handle === inbound.from);
  if (message === null || who === undefined || message.kind === "poll") return false;
  if (!message.is_group && (await isBlocked(tx, line.accountId, inbound.from))) return false;
  // A repeat, of this reaction or of a text that was stored before its message was.
  if (!(await claimTapback(tx, line, inbound.ref))) return true;
  await changeReaction(tx, message, {
    who,
    partIndex: target.part,
    isRemoved: tapback.isRemoved,
    type: tapback.type,
    emoji: tapback.emoji,
    image: null,
    placement: null,
    ref: null,
    traceId,
    at: now(),
  });
  return true;
}

const CLAIM_TAPBACK_REF = statement(
  "claim-tapback-ref",
  `insert into transport_refs (account_id, line_id, ref) values (:accountId, :id, :ref)
  on conflict do nothing returning ref`,
);

async function claimTapback(tx: Sql, { accountId, id }: LineRef, ref: string): Promise<boolean> {
  const rows = await tx.run(CLAIM_TAPBACK_REF, { accountId, id, ref });
  return rows.length > 0;
}
