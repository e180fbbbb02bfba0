import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const LEAVE_TEAMS = statement(
  "leave-teams",
  `delete from team_members where user_id = :userId
  and account_id in (select id from accounts where partner_id = :partnerId)`,
);

/** Removes a person from all teams of a partner's accounts, after the membership was changed. */
export async function leaveTeams(tx: Sql, partnerId: string, userId: string): Promise<void> {
  await tx.run(LEAVE_TEAMS, { partnerId, userId });
}
