import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { emitTeamChange } from "@/lib/messaging/team/team-entries";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

export const DeleteTeam = contract({
  summary: "Delete a team",
  tag: "Chats",
  right: "manage_account",
  params: z.object({ teamId: z.uuid() }),
  status: 204,
  errors: ["access_denied", "name_unknown"],
});

// Its members go with it.
const DELETE_TEAM = statement(
  "delete-team",
  "delete from teams where account_id = :accountId and id = :teamId returning name",
);

const CLEAR_TEAM_OF_CHATS = statement(
  "clear-team-of-chats",
  `with cleared as (
    update chats set team_id = null where account_id = :accountId and team_id = :teamId
    returning id, line_id, last_activity_at)
  select id, line_id, count(*) over ()::int as "chats!" from cleared order by last_activity_at desc, id desc limit 1`,
);

const END_NOTICES_OF_TEAM = statement(
  "end-notices-of-team",
  `update account_notices set dismissed_at = :now
  where account_id = :accountId and team_id = :teamId and dismissed_at is null`,
);

/**
 * Deletes a team. Its chats are no longer assigned to it, and stay assigned to the people who look after them. A request
 * that assigns a chat to the team at the same moment ends before, and is cleared with the rest, or fails. Errors:
 * name_unknown.
 */
export async function deleteTeam(
  ctx: Context,
  { params }: Pick<Input<typeof DeleteTeam>, "params">,
): Promise<undefined> {
  const of = { accountId: ctx.account.id, teamId: params.teamId };
  await transaction(async (tx) => {
    // Waits for those who are assigning a chat to the team, and sees their chats below.
    const [deleted] = await tx.run(DELETE_TEAM, of);
    if (deleted === undefined) return fail("name_unknown", "the account has no team with this ID");
    const [newest] = await tx.run(CLEAR_TEAM_OF_CHATS, of);
    await tx.run(END_NOTICES_OF_TEAM, { ...of, now: ctx.now });
    // One event for all: lists are read anew after any, and an open chat reads its state again by time.
    if (newest !== undefined) await emitTeamChange(tx, ctx, newest);
    const detail = { name: deleted.name, chats: newest?.chats ?? 0 };
    await recordAudit(tx, ctx, "team.deleted", "team", params.teamId, detail);
  });
}
