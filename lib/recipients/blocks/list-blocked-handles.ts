import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { BLOCKED_COLUMNS, BlockedHandle, toBlockedHandle } from "@/lib/recipients/blocks/blocked-handle";

export const ListBlockedHandles = contract({
  summary: "List blocked handles",
  description: "Returns every blocked handle of the account, newest first. The list is not paginated.",
  tag: "Blocked handles",
  right: "view_opt_outs",
  returns: z.object({ blocked_handles: z.array(BlockedHandle).describe("Blocked handles, newest first.") }),
  status: 200,
  errors: [],
});

const LIST_BLOCKED_HANDLES = statement(
  "list-blocked-handles",
  `select ${BLOCKED_COLUMNS} from contacts where account_id = :accountId and blocked_at is not null
  order by blocked_at desc, handle`,
);

/** All blocked handles of the account, newest first; not paginated (docs/contract.md, section 1.6). */
export async function listBlockedHandles(ctx: Context) {
  const rows = await sql.run(LIST_BLOCKED_HANDLES, { accountId: ctx.account.id });
  return { blocked_handles: rows.map(toBlockedHandle) };
}
