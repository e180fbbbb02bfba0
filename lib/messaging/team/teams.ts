import "server-only";
import { z } from "zod";
import { actorId, recordAudit } from "@/lib/identity/audit/record-audit";
import { emitTeamsChange } from "@/lib/messaging/team/team-entries";
import { requireWorkers, TeamMember, WORKING_ROLES } from "@/lib/messaging/team/team-member";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { hasSqlState } from "@/lib/platform/database/has-sql-state";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { newId } from "@/lib/platform/ids";
import { maxUnits } from "@/lib/platform/text/max-units";

const MAX_NAME = 60;
const MAX_TEAMS = 50;
const MAX_MEMBERS = 200;
const UNIQUE_VIOLATION = "23505";
const UNKNOWN = "the account has no team with this ID";

/** A team that chats can be assigned to. */
export const Team = z.object({
  id: z.uuid(),
  name: z.string(),
  /** How many people it has. */
  members: z.int(),
  /** Whether the caller is one of them. */
  is_mine: z.boolean(),
});

export type Team = z.infer<typeof Team>;

// Control characters, and those that turn the text around them.
const DISGUISING = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const VISIBLE = /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]/u;

const Content = z.object({
  name: z
    .string()
    .trim()
    .min(1)
    .check(maxUnits(MAX_NAME))
    .refine((name) => !DISGUISING.test(name), { error: "must not contain control characters" })
    .refine((name) => VISIBLE.test(name), { error: "must contain a visible character" }),
  /** Everyone of the team, who can answer chats. */
  members: z.array(z.uuid()).max(MAX_MEMBERS),
});

const TeamParams = z.object({ teamId: z.uuid() });

export const ListTeams = contract({
  summary: "List teams",
  tag: "Chats",
  right: "view_chats",
  returns: z.object({ teams: z.array(Team) }),
  status: 200,
  errors: [],
});

// A process of the previous release leaves the rows of people who left the partner or can't answer chats any more.
const MEMBERS = `team_members m join memberships p on p.user_id = m.user_id
  where p.partner_id = :partnerId and p.role::text = any(:roles::text[])`;

const LIST_TEAMS = statement(
  "list-teams",
  `select t.id, t.name,
    (select count(*)::int from ${MEMBERS} and m.account_id = t.account_id and m.team_id = t.id) as "members!",
    exists (select from team_members m where m.account_id = t.account_id and m.team_id = t.id and m.user_id = :userId)
      as "is_mine!"
  from teams t where t.account_id = :accountId order by t.name_key, t.id limit ${MAX_TEAMS}`,
);

/** Returns the account's teams by name, at most 50. */
export async function listTeams(ctx: Context): Promise<{ teams: Team[] }> {
  const { id: accountId, partnerId } = ctx.account;
  const of = { accountId, partnerId, roles: WORKING_ROLES, userId: actorId(ctx.actor) };
  const teams = await sql.run(LIST_TEAMS, of);
  return { teams };
}

export const GetTeam = contract({
  summary: "Get a team with its members",
  tag: "Chats",
  right: "view_chats",
  params: TeamParams,
  returns: z.object({ id: z.uuid(), name: z.string(), members: z.array(TeamMember) }),
  status: 200,
  errors: ["name_unknown"],
});

const FIND_TEAM = statement(
  "find-team",
  "select id, name from teams where account_id = :accountId and id = :teamId",
);

const LIST_PEOPLE_OF_TEAM = statement(
  "list-people-of-team",
  `select u.id, u.name from (select m.user_id from ${MEMBERS} and m.account_id = :accountId and m.team_id = :teamId) m
    join users u on u.id = m.user_id
  order by lower(u.name), u.id limit ${MAX_MEMBERS}`,
);

/** Returns a team with its members by name. Errors: name_unknown. */
export async function getTeam(ctx: Context, { params }: Pick<Input<typeof GetTeam>, "params">) {
  const of = { accountId: ctx.account.id, teamId: params.teamId };
  const [[team], members] = await Promise.all([
    sql.run(FIND_TEAM, of),
    sql.run(LIST_PEOPLE_OF_TEAM, { ...of, partnerId: ctx.account.partnerId, roles: WORKING_ROLES }),
  ]);
  if (team === undefined) return fail("name_unknown", UNKNOWN);
  return { ...team, members };
}

export const CreateTeam = contract({
  summary: "Create a team",
  tag: "Chats",
  right: "manage_account",
  body: Content,
  returns: z.object({ id: z.uuid() }),
  status: 201,
  errors: ["access_denied", "parameter_invalid", "state_conflict"],
});

const LOCK_TEAMS = statement("lock-teams", "select pg_advisory_xact_lock(hashtextextended(:lock, 0))");

const COUNT_TEAMS = statement(
  "count-teams",
  "select count(*)::int as count from teams where account_id = :accountId",
);

const CREATE_TEAM = statement(
  "create-team",
  `insert into teams (account_id, id, name, name_key, created_at, updated_at)
  values (:accountId, :id, :name, :nameKey, :now, :now)`,
);

/**
 * Creates a team of people who can answer chats. Errors: parameter_invalid for a person who can't; state_conflict when
 * the name is taken, whatever its case, or for more than 50 teams.
 */
export async function createTeam(
  ctx: Context,
  { body }: Pick<Input<typeof CreateTeam>, "body">,
): Promise<{ id: string }> {
  const id = newId(ctx.now.getTime());
  const { name } = body;
  await transaction(async (tx) => {
    // Without the lock, two requests could both create the last team.
    await tx.run(LOCK_TEAMS, { lock: `teams ${ctx.account.id}` });
    const [{ count } = { count: 0 }] = await tx.run(COUNT_TEAMS, { accountId: ctx.account.id });
    if (count >= MAX_TEAMS) fail("state_conflict", `an account can have ${MAX_TEAMS} teams`);
    const row = { accountId: ctx.account.id, id, name, nameKey: keyOf(name), now: ctx.now };
    await namedOnce(name, () => tx.run(CREATE_TEAM, row));
    const members = await setMembers(tx, ctx, id, body.members);
    await emitTeamsChange(tx, ctx);
    await recordAudit(tx, ctx, "team.created", "team", id, { name, members });
  });
  return { id };
}

export const UpdateTeam = contract({
  summary: "Rename a team or change its members",
  tag: "Chats",
  right: "manage_account",
  params: TeamParams,
  body: Content,
  status: 204,
  errors: ["access_denied", "name_unknown", "parameter_invalid", "state_conflict"],
});

const UPDATE_TEAM = statement(
  "update-team",
  `update teams t set name = :name, name_key = :nameKey, updated_at = :now
  from (select id, name from teams where account_id = :accountId and id = :id for no key update) was
  where t.account_id = :accountId and t.id = was.id returning was.name as "from"`,
);

/**
 * Replaces the name and the members of a team. Its chats stay assigned to it. Errors: name_unknown; parameter_invalid for a
 * person who can't answer chats; state_conflict when the name is taken.
 */
export async function updateTeam(
  ctx: Context,
  { params, body }: Pick<Input<typeof UpdateTeam>, "params" | "body">,
): Promise<undefined> {
  const { teamId: id } = params;
  const { name } = body;
  await transaction(async (tx) => {
    const row = { accountId: ctx.account.id, id, name, nameKey: keyOf(name), now: ctx.now };
    const [updated] = await namedOnce(name, () => tx.run(UPDATE_TEAM, row));
    if (updated === undefined) return fail("name_unknown", UNKNOWN);
    const members = await setMembers(tx, ctx, id, body.members);
    await emitTeamsChange(tx, ctx);
    await recordAudit(tx, ctx, "team.updated", "team", id, { from: updated.from, name, members });
  });
}

const REMOVE_OTHER_MEMBERS = statement(
  "remove-other-members",
  `delete from team_members
  where account_id = :accountId and team_id = :teamId and user_id <> all(:userIds::uuid[])`,
);

const ADD_MEMBERS = statement(
  "add-members",
  `insert into team_members (account_id, team_id, user_id)
  select :accountId, :teamId, added.id from unnest(:userIds::uuid[]) as added(id) on conflict do nothing`,
);

/** Makes these people the members of a team. Returns them, each once. Errors: parameter_invalid. */
async function setMembers(
  tx: Sql,
  ctx: Context,
  teamId: string,
  members: readonly string[],
): Promise<string[]> {
  const userIds = [...new Set(members)];
  await requireWorkers(tx, ctx, userIds);
  const of = { accountId: ctx.account.id, teamId, userIds };
  await tx.run(REMOVE_OTHER_MEMBERS, of);
  await tx.run(ADD_MEMBERS, of);
  return userIds;
}

// Two names that look the same have the same key.
function keyOf(name: string): string {
  return name.normalize("NFKC").replace(INVISIBLE, "").trim().toLowerCase();
}

async function namedOnce<Rows>(name: string, write: () => Promise<Rows>): Promise<Rows> {
  return write().catch((error: unknown) => {
    if (!hasSqlState(error, UNIQUE_VIOLATION)) throw error;
    return fail("state_conflict", `a team is already called “${name}”`);
  });
}
