import "server-only";
import { maySeePeople } from "@/lib/identity/audit/audit-conditions";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

/** Types of the entries that belong to the partner and to no account. */
const PARTNER_TYPES = ["partner", "user"];

const LIST_AUDIT_OBJECT_TYPES = statement(
  "list-audit-object-types",
  `with recursive found(type) as (
    (select object_type from audit_entries where account_id = :accountId order by object_type limit 1)
    union all
    select (select e.object_type from audit_entries e
            where e.account_id = :accountId and e.object_type > found.type order by e.object_type limit 1)
    from found where found.type is not null
  )
  select type from found where type is not null`,
);

/** The types of objects in the audit log of the account, in alphabetical order. Reads one index entry per type. */
export async function listAuditObjectTypes(ctx: Context): Promise<string[]> {
  const rows = await sql.run(LIST_AUDIT_OBJECT_TYPES, { accountId: ctx.account.id });
  const types = rows.map(({ type }) => type);
  return [...new Set([...types, ...(maySeePeople(ctx) ? PARTNER_TYPES : [])])].sort();
}
