import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { emitTeamsChange } from "@/lib/messaging/team/team-entries";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { byKey, type Sql, sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

const STEP_CHATS = 1000;

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

// Chats are always locked in id order, so two transactions can't deadlock. A limit of null means all.
const CLEAR_TEAM_OF_CHATS = statement(
  "clear-team-of-chats",
  `with found as materialized (
    select id from chats where account_id = :accountId and team_id = :teamId limit :limit
  ), locked as materialized (
    select c.id from found f join chats c on ${byKey("c", { account_id: ":accountId::uuid", id: "f.id" })}
    where c.team_id = :teamId order by c.id for no key update of c
  ), cleared as (
    update chats c set team_id = null from locked l
    where ${byKey("c", { account_id: ":accountId::uuid", id: "l.id" })} returning 1
  )
  select count(*)::int as "chats!" from cleared`,
);

const END_NOTICES_OF_TEAM = statement(
  "end-notices-of-team",
  `update account_notices set dismissed_at = :now
  where account_id = :accountId and team_id = :teamId and dismissed_at is null`,
);

/**
 * Deletes a team. Its chats are no longer assigned to it, and stay assigned to the people who look after them: in steps of
 * 1,000, the last one with the team. A deletion that is interrupted can be repeated. A request that assigns a chat to the
 * team at the same moment ends before, and is cleared with the rest, or fails. Errors: name_unknown.
 */
export async function deleteTeam(
  ctx: Context,
  { params }: Pick<Input<typeof DeleteTeam>, "params">,
): Promise<undefined> {
  const of = { accountId: ctx.account.id, teamId: params.teamId };
  let chats = 0;
  for (let step = 1; step > 0; chats += step) step = await clearChats(sql, of, STEP_CHATS);
  await transaction(async (tx) => {
    // Waits for those who are assigning a chat to the team, and sees their chats below.
    const [deleted] = await tx.run(DELETE_TEAM, of);
    if (deleted === undefined) return fail("name_unknown", "the account has no team with this ID");
    const rest = await clearChats(tx, of, null);
    await tx.run(END_NOTICES_OF_TEAM, { ...of, now: ctx.now });
    await emitTeamsChange(tx, ctx);
    const detail = { name: deleted.name, chats: chats + rest };
    await recordAudit(tx, ctx, "team.deleted", "team", params.teamId, detail);
  });
}

async function clearChats(
  tx: Sql,
  of: { accountId: string; teamId: string },
  limit: number | null,
): Promise<number> {
  const [cleared] = await tx.run(CLEAR_TEAM_OF_CHATS, { ...of, limit });
  return cleared?.chats ?? 0;
}
