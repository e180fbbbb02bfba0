import "server-only";
import type { Change } from "@/lib/events/store/emit-account-event";
import type { Sql } from "@/lib/platform/database/db";
import { newTraceId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

/** A user's change outside any account. It notifies all accounts of all partners that the user belongs to. */
export async function memberChange(
  tx: Sql,
  { id, name, email }: { id: string; name: string; email: string },
): Promise<Change> {
  const accounts = await tx.query<{ id: string }>({
    name: "accounts-of-user",
    text: `select a.id from memberships m join accounts a on a.partner_id = m.partner_id where m.user_id = $1`,
    values: [id],
  });
  return {
    accountIds: accounts.map((account) => account.id),
    actor: { type: "team_member", id, name, email },
    origin: "dashboard",
    traceId: newTraceId(),
    at: now(),
  };
}
