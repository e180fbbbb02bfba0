import "server-only";
import type { InChange, InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { traceReceived } from "@/lib/lines/connections/trace-received";
import type { ChangedChat } from "@/lib/messaging/chats/change-chat";
import { findParty, type Party } from "@/lib/messaging/chats/find-party";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";
import type { ChatHandle } from "@/lib/recipients/handles/chat-handle";

/** A change that a contact made in a known chat. */
export interface ReceivedChange {
  chat: ChangedChat;
  isGroup: boolean;
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
      await apply(tx, { chat, isGroup: found.is_group, party, by });
      return true;
    }),
  );
}

interface FoundChat {
  id: string;
  is_group: boolean;
  has_left: boolean;
}

async function findChat(tx: Sql, line: LineRef, { groupRef, from }: InChange): Promise<FoundChat | null> {
  const shown = "select c.id, c.is_group, c.left_at is not null as has_left from chats c";
  const [chat] = await (groupRef === null
    ? tx.query<FoundChat>({
        name: "find-changed-chat",
        text: `${shown} where c.account_id = $1 and c.line_id = $2 and c.participants_key = $3 and not exists (
                 select 1 from contacts k
                 where k.account_id = $1 and k.handle = $3 and k.blocked_at is not null)`,
        values: [line.accountId, line.id, from],
      })
    : tx.query<FoundChat>({
        name: "find-changed-group",
        text: `${shown} where c.account_id = $1 and c.line_id = $2 and c.transport_ref = $3`,
        values: [line.accountId, line.id, groupRef],
      }));
  return chat ?? null;
}

async function claimRef(tx: Sql, line: LineRef, ref: string): Promise<boolean> {
  const rows = await tx.query<{ ref: string }>({
    name: "claim-change-ref",
    text: `insert into transport_refs (account_id, line_id, ref) values ($1, $2, $3)
           on conflict do nothing returning ref`,
    values: [line.accountId, line.id, ref],
  });
  return rows.length > 0;
}
