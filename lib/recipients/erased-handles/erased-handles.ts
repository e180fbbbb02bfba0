import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { hashHandle } from "@/lib/recipients/erased-handles/handle-pepper";

/** The replacement of an erased person's handle in rows that stay, such as a participant of a group. */
export function erasedHandle(erasureId: string): string {
  return `erased-${erasureId}`;
}

/** SQL for a statement that inserts or locks a contact `k`: the account's pepper if the contact is new, else null. */
export const PEPPER_OF_NEW_CONTACT =
  "case when k.xmax = 0 then (select a.handle_pepper from accounts a where a.id = k.account_id) end";

type Restored = RowOf<"restore-erased-handles">;

const RESTORE_ERASED_HANDLES = plannedStatement(
  "restore-erased-handles",
  `with back as (
    delete from erased_handles e using unnest(:handles::text[], :hashes::bytea[]) as t(handle, hash)
    where e.account_id = :accountId and e.hash = t.hash
    returning t.handle, e.erasure_id, e.opted_out_at, e.opt_out_keyword, e.blocked_at
  ), contact as (
    insert into contacts as k (account_id, handle, opted_out_at, opt_out_keyword, blocked_at, blocked_by_type)
    select :accountId, handle, opted_out_at, opt_out_keyword, blocked_at,
      case when blocked_at is not null then 'system' end
    from back order by handle
    on conflict (account_id, handle) do update set opted_out_at = coalesce(k.opted_out_at, excluded.opted_out_at),
      opt_out_keyword = coalesce(k.opt_out_keyword, excluded.opt_out_keyword),
      blocked_at = coalesce(k.blocked_at, excluded.blocked_at),
      blocked_by_type = coalesce(k.blocked_by_type, excluded.blocked_by_type)
  ), evidence as (
    update opt_outs o set handle = b.handle from back b
    where o.account_id = :accountId and o.handle = 'erased-' || b.erasure_id and o.ended_at is null
  )
  select handle as "handle!", opted_out_at is not null as opted_out, blocked_at is not null as blocked from back`,
);

/**
 * Applies the opt-outs and blocks of erased persons again, because a chat with their handles begins: an erased person
 * who had opted out is not messaged again. `pepper` is the account's sealed one; null = the account has erased no one.
 * Returns the handles that had one. Throws UnreadableSecret.
 */
export async function restoreErasedHandles(
  tx: Sql,
  accountId: string,
  pepper: Uint8Array | null | undefined,
  handles: readonly string[],
): Promise<Restored[]> {
  if (pepper == null) return [];
  return tx.run(RESTORE_ERASED_HANDLES, {
    accountId,
    handles,
    hashes: handles.map((handle) => hashHandle(accountId, pepper, handle)),
  });
}
