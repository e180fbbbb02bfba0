import "server-only";
import { needle } from "@/lib/messaging/inbox/search-chats";
import type { Context } from "@/lib/platform/context";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { boundedSearch } from "@/lib/platform/lists/bounded-search";

const TIMEOUT_MS = 3000;
/** A part that many handles contain is not sorted further: the first matches are as good as others. */
const MAX_SORTED = 500;

interface CustomerSearch {
  /** Part of a handle; of a phone number, only the digits. */
  part: string;
  /** The complete handle, which is listed first. */
  handle: string;
  limit: number;
}

const SEARCH_CUSTOMERS = plannedStatement(
  "search-customers",
  `with needle as materialized (
    select ${needle(":part")} as handle
  ), pieces as materialized (
    select search_pieces(:accountId, handle) as pieces from needle
  ), found as materialized (
    (select p.handle from participants p, needle
      where not p.is_me and search_pieces(p.account_id, search_text(p.handle)) @> (select pieces from pieces)
        and p.account_id is not distinct from :accountId and position(needle.handle in search_text(p.handle)) > 0
      limit ${MAX_SORTED})
    union (select p.handle from participants p
      where p.account_id = :accountId and p.handle = :handle and not p.is_me limit 1)
    union (select k.handle from contacts k where k.account_id = :accountId and k.handle = :handle)
  )
  select f.handle, k.name from found f left join contacts k on k.account_id = :accountId and k.handle = f.handle
  order by f.handle = :handle desc, f.handle limit :limit`,
);

/**
 * The handles of the account's chats that contain a text, and the complete handle also if it has no chat. One or two
 * characters match only the beginning of a handle. Errors: parameter_invalid, rate_limited.
 */
export function searchCustomers(ctx: Context, search: CustomerSearch): Promise<RowOf<"search-customers">[]> {
  const accountId = ctx.account.id;
  return boundedSearch(accountId, TIMEOUT_MS, (tx) => tx.run(SEARCH_CUSTOMERS, { accountId, ...search }));
}
