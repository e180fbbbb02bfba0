import "server-only";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { beginOptOut, isOverruled } from "@/lib/recipients/opt-outs/apply-inbound-opt-out";

/** Carriers stop messages when a person writes STOP, and report only that the person opted out. */
const CARRIER_KEYWORD = "STOP";

const LOCK_REPORTED_OPT_OUT = statement(
  "lock-reported-opt-out",
  `with contact as (
    insert into contacts (account_id, handle) values (:accountId, :handle)
    on conflict (account_id, handle) do update set handle = excluded.handle
    returning opted_out_at is not null as is_opted_out
  )
  select is_opted_out, (
    select c.id from chats c
    where c.account_id = :accountId and c.line_id = :id and c.recipient_handle = :handle limit 1) as chat_id
  from contact`,
);

/**
 * Opts a person out of all sends of the account because a carrier or vendor did. An open opt-out keeps its evidence.
 * The person's next message ends the opt-out, like any other.
 */
export async function receiveOptOut(
  { accountId, id }: LineRef,
  { from: handle, keyword, at, heldSince }: InEvent<"opt_out">,
): Promise<void> {
  await transaction(async (tx) => {
    const [contact] = await tx.run(LOCK_REPORTED_OPT_OUT, { accountId, handle, id });
    if (contact === undefined || contact.is_opted_out) return;
    if (await isOverruled(tx, { accountId, handle, keyword: keyword ?? CARRIER_KEYWORD, heldSince })) return;
    const reason = { cause: "keyword", type: null, id: null, messageId: null } as const;
    await beginOptOut(
      tx,
      { accountId, handle, at },
      { ...reason, keyword: keyword ?? CARRIER_KEYWORD, chatId: contact.chat_id },
    );
  });
}
