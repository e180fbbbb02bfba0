import "server-only";
import type { Change } from "@/lib/events/store/emit-account-event";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { newTraceId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

const ACCOUNTS_OF_USER = statement(
  "accounts-of-user",
  `select a.id from memberships m join accounts a on a.partner_id = m.partner_id where m.user_id = :id`,
);

/** A user's change outside any account. It notifies all accounts of all partners that the user belongs to. */
export async function memberChange(
  tx: Sql,
  { id, name, email }: { id: string; name: string; email: string },
): Promise<Change> {
  const accounts = await tx.run(ACCOUNTS_OF_USER, { id });
  return {
    accountIds: accounts.map((account) => account.id),
    actor: { type: "team_member", id, name, email },
    origin: "dashboard",
    traceId: newTraceId(),
    at: now(),
  };
}
