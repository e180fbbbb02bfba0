import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { Accepted, Outbound, SendOutcome } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import {
  type Disturbance,
  disturbanceOf,
  duplicateOnPhones,
} from "@/lib/adapters/transports/simulator/apply-fault";
import { FAULTS, faultOf } from "@/lib/adapters/transports/simulator/faults";
import { isReporting, scheduleReceiptCheck } from "@/lib/adapters/transports/simulator/report-receipts";
import { requireRcsAccount } from "@/lib/adapters/transports/simulator/require-rcs-account";
import { requireGroupCreated } from "@/lib/adapters/transports/simulator/wait-for-groups";
import { sink } from "@/lib/adapters/transports/sink";
import { batched } from "@/lib/platform/database/batch";
import { byKey, sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

const SLOW_ANSWER_MS = 60_000;
const RETRY_AFTER_MS = 1000;

/** Derives a conversation's reference from its chat, so that everything that opens it opens the same one. */
function groupRefOf(message: Outbound): string | null {
  return message.group === null ? null : (message.group.ref ?? `group-${message.group.chatId}`);
}

/**
 * Sends a message into the simulated network, once per message id. The recipient's fault determines the response
 * (faults.ts). Throws AdapterError.
 */
export async function sendToPhones(message: Outbound, signal: AbortSignal): Promise<Accepted> {
  if (message.service === "RCS") await requireRcsAccount(message.line);
  await requireGroupCreated(message);
  const disturbance = await disturbanceOf(message, signal);
  const taken = disturbance === null ? await takeMessage(message) : await takeDisturbed(message, disturbance);
  if (taken.isFlagging) await sink().receive(message.line, [{ type: "line_flag", isFlagged: true }]);
  if (disturbance?.isUnconfirmed === true) {
    throw new AdapterError("unknown_outcome", "an injected fault: the network did not confirm the message");
  }
  const fault = faultOf(taken.fault);
  const accepted = {
    refs: [message.id],
    groupRef: groupRefOf(message),
    service: message.service,
    isDelivered: taken.isDelivered,
  };
  if (fault === null) return accepted;

  if (fault.name === "slow_answer") await answerSlowly(signal);
  if (fault.answer === null) return accepted;
  throw new AdapterError(
    fault.answer,
    `the phone's fault is "${fault.name}"`,
    fault.answer === "rate_limited" ? RETRY_AFTER_MS : undefined,
  );
}

const SIMULATOR_OUTCOME = statement(
  "simulator-outcome",
  `select s.service, s.group_ref, p.fault, s.is_unconfirmed,
    s.group_ref is null and s.delivered_at is not null and s.pending_receipt is distinct from 'delivered' as is_delivered
  from simulator_messages s
  left join simulator_phones p on p.account_id = s.account_id and p.handle = s.handle
  where s.account_id = :accountId and s.line_id = :lineId and s.ref = :messageId limit 1`,
);

/** Returns whether the network has a message. The fault `lost_answer` and the injected error 4006 make the outcome unknown. */
export async function findSentMessage(line: LineRef, messageId: string): Promise<SendOutcome> {
  const [row] = await sql.run(SIMULATOR_OUTCOME, { accountId: line.accountId, lineId: line.id, messageId });
  if (row === undefined) return { state: "absent" };
  if (row.is_unconfirmed) return { state: "unknown" };
  if (row.group_ref === null && faultOf(row.fault)?.name === "lost_answer") return { state: "unknown" };
  return {
    state: "accepted",
    accepted: {
      refs: [messageId],
      groupRef: row.group_ref,
      service: row.service,
      isDelivered: row.is_delivered,
    },
  };
}

async function answerSlowly(signal: AbortSignal): Promise<void> {
  await sleep(SLOW_ANSWER_MS, undefined, { signal }).catch(() => {
    throw new AdapterError("unknown_outcome", "the network did not respond in time");
  });
}

interface Taken {
  /** The fault of a direct recipient. */
  fault: string | null;
  /** Whether a direct recipient's phone has the message already. */
  isDelivered: boolean;
  /** Whether the message is the one that flags its line. */
  isFlagging: boolean;
}

/**
 * Stores the message for each recipient's phone. In a process that reports for the phones, an online phone without a
 * delay or a fault has it immediately.
 */
const takeMessage = batched<Outbound, Taken>({
  runOne: async (message) => (await insertMessages([message]))[0] ?? NO_PHONE,
  runMany: (messages) => insertMessages(messages),
});

async function takeDisturbed(
  message: Outbound,
  { delayMs, isDuplicated, isUnconfirmed }: Disturbance,
): Promise<Taken> {
  const [taken = NO_PHONE] = await insertMessages([message], { extraMs: delayMs, isUnconfirmed });
  if (isDuplicated) await duplicateOnPhones(message);
  return taken;
}

const UNDISTURBED = { extraMs: 0, isUnconfirmed: false };
const NO_PHONE: Taken = { fault: null, isDelivered: false, isFlagging: false };

const NOT_TAKEN = Object.entries(FAULTS)
  .filter(([, fault]) => !fault.taken)
  .map(([name]) => name);

const SIMULATOR_SEND = statement(
  "simulator-send",
  `with copy as (
    select t.*, p.fault, p.has_phone, p.is_instant,
      case when p.is_instant then p.read_after_ms else p.delay_ms + :extraMs::int end as receipt_ms
    from unnest(:indexes::int[], :accountIds::uuid[], :lineIds::uuid[], :handles::text[], :messageIds::text[], :phoneNumbers::text[], :groupRefOfs::text[], :services::text[],
      :parts::jsonb[], :copies::jsonb[])
      as t(index, account_id, line_id, handle, ref, sender, group_ref, service, parts, effect)
    left join lateral (
      select p.fault, p.read_after_ms, p.delay_ms, true as has_phone,
        :isReporting and p.delay_ms = 0 and p.fault is null and p.connection = 'online'
          and :extraMs::int is not distinct from 0 as "is_instant!"
      from (
        select q.read_after_ms, q.delay_ms, q.connection,
          case when q.behavior = 'refuses_cards' and jsonb_path_exists(t.parts,
            '$[*] ? (@.type == "app_card" || @.type == "app_clip")') then 'unsupported' else q.fault end as fault
        from simulator_phones q where q.account_id = t.account_id and q.handle = t.handle offset 0) p
    ) p on true
  ), taken as (
    insert into simulator_messages
      (account_id, line_id, handle, ref, sender, group_ref, service, parts, effect, created_at, pending_receipt,
        due_at, delivered_at, is_unconfirmed)
    select account_id, line_id, handle, ref, sender, group_ref, service::service_type, parts, effect, :now,
      case when receipt_ms is not null then case when is_instant then 'read' else 'delivered' end end,
      :now::timestamptz + receipt_ms * interval '1 millisecond', case when is_instant then :now::timestamptz end, :isUnconfirmed
    from copy where fault is null or fault <> all(:nottaken::text[])
    on conflict do nothing
  ), counted as (
    update simulator_lines l set sends_until_flag = greatest(l.sends_until_flag - sent.count, 0)
    from (
      select account_id, line_id, count(distinct index)::int as count, max(index) as last from copy group by 1, 2
    ) sent
    where ${byKey("l", { account_id: "sent.account_id", line_id: "sent.line_id" })} and l.sends_until_flag > 0
    returning sent.last, l.sends_until_flag = 0 as is_flagging
  )
  select index as "index!", fault, group_ref is null as is_direct, is_instant, receipt_ms, has_phone is true as has_phone,
    index in (select last from counted where is_flagging) as "is_flagging!"
  from copy where has_phone or exists (select from counted)`,
);

/** Stores messages. They take `extraMs` longer than the phones' delay; null = they never arrive. */
async function insertMessages(
  messages: Outbound[],
  { extraMs, isUnconfirmed }: { extraMs: number | null; isUnconfirmed: boolean } = UNDISTURBED,
): Promise<Taken[]> {
  const copies = messages.flatMap((message, index) =>
    message.to.map((handle) => ({ index, message, handle })),
  );
  const rows = await sql.run(SIMULATOR_SEND, {
    indexes: copies.map(({ index }) => index),
    accountIds: copies.map(({ message }) => message.line.accountId),
    lineIds: copies.map(({ message }) => message.line.id),
    handles: copies.map(({ handle }) => handle),
    messageIds: copies.map(({ message }) => message.id),
    phoneNumbers: copies.map(({ message }) => message.line.phoneNumber),
    groupRefOfs: copies.map(({ message }) => groupRefOf(message)),
    services: copies.map(({ message }) => message.service),
    parts: copies.map(({ message }) => JSON.stringify(message.parts)),
    copies: copies.map(({ message }) => message.effect && JSON.stringify(message.effect)),
    now: now(),
    nottaken: NOT_TAKEN,
    isReporting: isReporting(),
    extraMs,
    isUnconfirmed,
  });
  for (const ms of new Set(rows.map((row) => row.receipt_ms))) if (ms !== null) scheduleReceiptCheck(ms);
  if (rows.some((row) => row.is_instant)) sql.wake("phones");
  const direct = new Map(rows.filter((row) => row.is_direct && row.has_phone).map((row) => [row.index, row]));
  const flagging = new Set(rows.filter((row) => row.is_flagging).map((row) => row.index));
  return messages.map((_, index) => {
    const row = direct.get(index);
    const isFlagging = flagging.has(index);
    return row === undefined
      ? { ...NO_PHONE, isFlagging }
      : { fault: row.fault, isDelivered: row.is_instant, isFlagging };
  });
}
