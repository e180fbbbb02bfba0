import "server-only";
import type { InChange, InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { traceReceived } from "@/lib/lines/connections/trace-received";
import type { ChangedChat } from "@/lib/messaging/chats/change-chat";
import { findParty, type Party } from "@/lib/messaging/chats/find-party";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";
import type { ChatHandle } from "@/lib/recipients/handles/chat-handle";

/** A change that a contact made in a known chat. */
export interface ReceivedChange {
  chat: ChangedChat;
  isGroup: boolean;
  /** Whether someone's turn is open in the chat. */
  hasTurns: boolean;
  party: Party;
  /** The author of the change; null when it is unknown. */
  by: ChatHandle | null;
}

/**
 * Applies a reported change of a chat and its effects in one transaction, once per ref. Returns false when there was
 * nothing to do: a repeat, a chat without messages, a blocked contact, or a group that the line has left.
 */
export async function receiveChange(
  line: LineRef,
  report: InChange & Pick<InEvent, "type">,
  apply: (tx: Sql, change: ReceivedChange) => Promise<void>,
  isForLeft = false,
): Promise<boolean> {
  return traceReceived(line, report.type, (traceId) =>
    transaction(async (tx) => {
      const found = await findChat(tx, line, report);
      if (found === null) {
        log.info({ lineId: line.id, groupRef: report.groupRef }, "a change of an unknown chat was ignored");
        return false;
      }
      if (found.has_left && !isForLeft) return false;
      if (report.ref !== null && !(await claimRef(tx, line, report.ref))) return false;

      const chat = {
        accountId: line.accountId,
        lineId: line.id,
        chatId: found.id,
        traceId,
        at: now(),
      };
      const party = await findParty(tx, chat);
      const by = report.from === null ? null : (party.byHandle.get(report.from) ?? null);
      await apply(tx, { chat, isGroup: found.is_group, hasTurns: found.has_turns, party, by });
      return true;
    }),
  );
}

const SHOWN = `select c.id, c.is_group, c.left_at is not null as has_left, exists (
    select from chat_turns o where o.account_id = c.account_id and o.chat_id = c.id) as "has_turns!" from chats c`;

const FIND_CHANGED_CHAT = statement(
  "find-changed-chat",
  `${SHOWN} where c.account_id = :accountId and c.line_id = :lineId and c.participants_key = :from and not exists (
    select 1 from contacts k
    where k.account_id = :accountId and k.handle = :from and k.blocked_at is not null)`,
);

const FIND_CHANGED_GROUP = statement(
  "find-changed-group",
  `${SHOWN} where c.account_id = :accountId and c.line_id = :lineId and c.transport_ref = :groupRef`,
);

async function findChat(tx: Sql, line: LineRef, { groupRef, from }: InChange) {
  const of = { accountId: line.accountId, lineId: line.id };
  const [chat] = await (groupRef === null
    ? tx.run(FIND_CHANGED_CHAT, { ...of, from })
    : tx.run(FIND_CHANGED_GROUP, { ...of, groupRef }));
  return chat ?? null;
}

const CLAIM_CHANGE_REF = statement(
  "claim-change-ref",
  `insert into transport_refs (account_id, line_id, ref) values (:accountId, :lineId, :ref)
  on conflict do nothing returning ref`,
);

async function claimRef(tx: Sql, line: LineRef, ref: string): Promise<boolean> {
  const rows = await tx.run(CLAIM_CHANGE_REF, { accountId: line.accountId, lineId: line.id, ref });
  return rows.length > 0;
}
