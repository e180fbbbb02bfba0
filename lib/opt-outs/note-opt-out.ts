import "server-only";
import { chatHealthSql } from "@/lib/health/chat-health";
import type { Sql } from "@/lib/platform/db";

/** An inbound message, as far as opting out is concerned. */
export interface OptOutNote {
  accountId: string;
  handle: string;
  wasOptedOut: boolean;
  /** The opt-out keyword the message is, or null; always null in groups. */
  keyword: string | null;
  chatId: string;
  messageId: string;
  at: Date;
}

/**
 * A keyword opts the handle out of the whole account and marks its chat; anything else the handle writes ends both, in
 * every chat that was marked (partner-api.md, Opt-out rules 2 to 4; contract.md 0). The caller holds the contact's row.
 */
export async function noteOptOut(tx: Sql, note: OptOutNote): Promise<void> {
  if (note.keyword !== null) await optOut(tx, note);
  else if (note.wasOptedOut) await clearOptOut(tx, note);
}

async function optOut(tx: Sql, { accountId, handle, keyword, chatId, messageId, at }: OptOutNote) {
  await tx.query({
    name: "opt-out",
    text: `with contact as (
             update contacts set opted_out_at = $3, opt_out_keyword = $4, opt_out_message_id = $5
             where account_id = $1 and handle = $2
           )
           update chats set health_status = 'OPTED_OUT', health_updated_at = $3, updated_at = $3
           where account_id = $1 and id = $6 and health_status <> 'OPTED_OUT'`,
    values: [accountId, handle, at, keyword, messageId, chatId],
  });
}

async function clearOptOut(tx: Sql, { accountId, handle, at }: OptOutNote) {
  await tx.query({
    name: "clear-opt-out",
    text: `with contact as (
             update contacts set opted_out_at = null, opt_out_keyword = null, opt_out_message_id = null
             where account_id = $1 and handle = $2
           )
           update chats c set health_status = ${chatHealthSql("c.unanswered", "$3")}, health_updated_at = $3, updated_at = $3
           from participants p
           where p.account_id = $1 and p.handle = $2 and c.account_id = p.account_id and c.id = p.chat_id
             and c.health_status = 'OPTED_OUT'`,
    values: [accountId, handle, at],
  });
}
