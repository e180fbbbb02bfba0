import "server-only";
import { recordSystemAudit } from "@/lib/identity/audit/record-audit";
import { now } from "@/lib/platform/clock";
import { type Sql, transaction } from "@/lib/platform/db";
import { newId } from "@/lib/platform/ids";

/** Creates a partner (an organization), which owns accounts, users and the single sign-on. */
export function createPartner(name: string): Promise<{ id: string; name: string }> {
  return transaction((tx) => insertPartner(tx, name));
}

/** As `createPartner`, in the caller's transaction. */
export async function insertPartner(tx: Sql, name: string): Promise<{ id: string; name: string }> {
  const at = now();
  const id = newId(at.getTime());
  await tx.query({
    text: "insert into partners (id, name, created_at) values ($1, $2, $3)",
    values: [id, name, at],
  });
  await recordSystemAudit(tx, { partnerId: id, accountId: null, at }, "partner.created", "partner", id, {
    name,
  });
  return { id, name };
}
