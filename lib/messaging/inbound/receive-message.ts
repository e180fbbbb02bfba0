import "server-only";
import type { InboundMessage } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { discardFiles } from "@/lib/attachments/store/store-file";
import { traceReceived } from "@/lib/lines/connections/trace-received";
import { type ContactCard, readContactCards } from "@/lib/messaging/content/read-contact-card";
import { type Arrival, findInboundChat } from "@/lib/messaging/inbound/find-inbound-chat";
import { hintOf, keywordOf, textOf } from "@/lib/messaging/inbound/inbound-consent";
import {
  filesOf,
  hasFiles,
  insertReceivedFiles,
  type ReceivedFilePart,
  storeReceivedFiles,
} from "@/lib/messaging/inbound/receive-files";
import { isPlainText, type Received, receiveText } from "@/lib/messaging/inbound/receive-text";
import {
  findReceivedMemo,
  type ReceivedMemo,
  withDuration,
} from "@/lib/messaging/inbound/received-voice-memo";
import { storeInbound } from "@/lib/messaging/inbound/store-inbound";
import { checkForLoop } from "@/lib/messaging/loops/check-for-loop";
import { receiveTapback } from "@/lib/messaging/reactions/receive-tapback";
import { payments } from "@/lib/messaging/sending/payment-port";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement, statement } from "@/lib/platform/database/statement";
import { newId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import { isBlocked } from "@/lib/recipients/blocks/is-blocked";
import { PEPPER_OF_NEW_CONTACT, restoreErasedHandles } from "@/lib/recipients/erased-handles/erased-handles";
import { applyInboundOptOut } from "@/lib/recipients/opt-outs/apply-inbound-opt-out";

/**
 * Stores an inbound message: contact, chat (opened when there is none), message and events in one transaction. A
 * repeated transport ref is the same message. Keywords are of docs/contract.md, section 9.1. Files are stored first and
 * deleted when the message is not new. Returns null for a message from a blocked handle, which is dropped without a
 * trace (direct chats only), and for a tapback, which is stored as a reaction.
 */
export function receiveMessage(line: LineRef, inbound: InboundMessage): Promise<Received | null> {
  return traceReceived(line, "message", async (traceId) => {
    const received = await receive(line, inbound, traceId);
    if (received !== null) {
      const isTimeReported = inbound.isTimeReported !== false;
      await checkForLoop({ ...received, accountId: line.accountId, traceId, isTimeReported });
    }
    return received;
  });
}

async function receive(line: LineRef, inbound: InboundMessage, traceId: string): Promise<Received | null> {
  if (await receiveTapback(line, inbound, traceId)) return null;
  const received = await receivePlainText(line, inbound, traceId);
  if (received !== null) return received;
  if (hasFiles(inbound.parts) && (await isDropped(line, inbound))) return null;
  // An opt-out must not wait for a file.
  const isUrgent = inbound.groupRef === null && keywordOf(inbound) !== null;
  const taken = await storeReceivedFiles(line, inbound.parts, isUrgent);
  const at = now();
  const arrival = {
    line,
    inbound,
    messageId: newId(at.getTime(), line.accountId, "inbound", inbound.ref),
    traceId,
    at,
  };
  let isKept = false;
  try {
    const memo = await findReceivedMemo(line, taken);
    const contactCards = await readContactCards(line.accountId, filesOf(taken));
    const stored = await store(arrival, taken, { memo, contactCards });
    isKept = stored?.messageId === arrival.messageId;
    return stored;
  } finally {
    if (!isKept) await discardFiles(line.accountId, filesOf(taken));
  }
}

/** Stores a text that sets off nothing else. Returns null, and stores nothing, for any other message. */
async function receivePlainText(
  line: LineRef,
  inbound: InboundMessage,
  traceId: string,
): Promise<Received | null> {
  if (!isPlainText(inbound) || keywordOf(inbound) !== null || hintOf(inbound) !== null) return null;
  const at = now();
  const text = { accountId: line.accountId, handle: inbound.from, text: textOf(inbound), at };
  if (await payments().readsText(text)) return null;
  return receiveText({
    line,
    inbound,
    messageId: newId(at.getTime(), line.accountId, "inbound", inbound.ref),
    traceId,
    at,
  });
}

function store(
  arrival: Arrival,
  taken: readonly ReceivedFilePart[],
  { memo, contactCards }: { memo: ReceivedMemo | null; contactCards: readonly ContactCard[] },
): Promise<Received | null> {
  const { line, inbound, at } = arrival;
  return transaction(async (tx) => {
    const contact = await lockContact(tx, arrival);
    if (contact.isBlocked && inbound.groupRef === null) return null;
    if (!(await claimRef(tx, arrival))) return findReceived(tx, arrival);

    const chatId = await findInboundChat(tx, arrival);
    await applyInboundOptOut(tx, {
      accountId: line.accountId,
      handle: inbound.from,
      wasOptedOut: contact.isOptedOut,
      keyword: keywordOf(inbound),
      isGroup: inbound.groupRef !== null,
      hint: inbound.groupRef === null ? hintOf(inbound) : null,
      chatId,
      messageId: arrival.messageId,
      at,
      heldSince: inbound.heldSince,
    });
    const parts = await insertReceivedFiles(tx, arrival, taken);
    const { exchangeCount } = await storeInbound(tx, arrival, {
      chatId,
      kind: memo === null ? "content" : "voice_memo",
      parts: memo === null ? parts : withDuration(parts, memo),
      contactCards,
    });

    await payments().noteInboundText(tx, {
      accountId: line.accountId,
      handle: inbound.from,
      text: textOf(inbound),
      at,
    });

    return { chatId, messageId: arrival.messageId, exchangeCount };
  });
}

// Files of blocked contacts are not stored. The transaction checks again whether the contact is still blocked.
async function isDropped({ accountId }: LineRef, { groupRef, from }: InboundMessage): Promise<boolean> {
  return groupRef === null && isBlocked(sql, accountId, from);
}

const LOCK_CONTACT = statement(
  "lock-contact",
  `with contact as (
    insert into contacts as k (account_id, handle) values (:accountId, :from)
    on conflict (account_id, handle) do update set handle = excluded.handle
    returning opted_out_at is not null as opted_out, blocked_at is not null as blocked,
      ${PEPPER_OF_NEW_CONTACT} as pepper
  ), wrote as (
    insert into line_contacts (account_id, line_id, handle, first_inbound_at, last_inbound_at)
    select :accountId, :lineId, :from, :at, :at from contact where :isGroup or not contact.blocked
    on conflict (account_id, line_id, handle) do update set last_inbound_at = excluded.last_inbound_at
  )
  select opted_out, blocked, pepper from contact`,
);

// The contact's row stays locked to the end, so messages of one sender are stored one after the other.
async function lockContact(tx: Sql, arrival: Arrival) {
  const { line, inbound, at } = arrival;
  const [contact] = await tx.run(LOCK_CONTACT, {
    accountId: line.accountId,
    lineId: line.id,
    from: inbound.from,
    at,
    isGroup: inbound.groupRef !== null,
  });
  const [restored] = await restoreErasedHandles(tx, line.accountId, contact?.pepper, [inbound.from]);
  if (restored?.blocked === true && inbound.groupRef === null) await forgetFirstInbound(tx, arrival);
  return {
    isOptedOut: contact?.opted_out === true || restored?.opted_out === true,
    isBlocked: contact?.blocked === true || restored?.blocked === true,
  };
}

const FORGET_FIRST_INBOUND = plannedStatement(
  "forget-first-inbound",
  `delete from line_contacts
  where account_id = :accountId and line_id = :lineId and handle = :from and first_inbound_at = :firstInboundAt`,
);

// A message that is dropped does not show that its sender has written.
async function forgetFirstInbound(tx: Sql, { line, inbound, at }: Arrival): Promise<void> {
  await tx.run(FORGET_FIRST_INBOUND, {
    accountId: line.accountId,
    lineId: line.id,
    from: inbound.from,
    firstInboundAt: at,
  });
}

const CLAIM_INBOUND_REF = statement(
  "claim-inbound-ref",
  `insert into transport_refs (account_id, line_id, ref, message_id) values (:accountId, :lineId, :ref, :messageId)
  on conflict do nothing returning ref`,
);

async function claimRef(tx: Sql, { line, inbound, messageId }: Arrival): Promise<boolean> {
  const rows = await tx.run(CLAIM_INBOUND_REF, {
    accountId: line.accountId,
    lineId: line.id,
    ref: inbound.ref,
    messageId,
  });
  return rows.length > 0;
}

const FIND_RECEIVED_MESSAGE = statement(
  "find-received-message",
  `select m.chat_id, m.id from transport_refs r
  join messages m on m.account_id = r.account_id and m.id = r.message_id
  where r.account_id = :accountId and r.line_id = :lineId and r.ref = :ref`,
);

async function findReceived(tx: Sql, { line, inbound }: Arrival): Promise<Received | null> {
  const [row] = await tx.run(FIND_RECEIVED_MESSAGE, {
    accountId: line.accountId,
    lineId: line.id,
    ref: inbound.ref,
  });
  return row === undefined ? null : { chatId: row.chat_id, messageId: row.id, exchangeCount: null };
}
