import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { ChatParams } from "@/lib/messaging/chats/chat";
import { throwNotFoundOrDenied } from "@/lib/messaging/chats/find-chat";
import { addTeamEntry } from "@/lib/messaging/team/team-entries";
import { requireMembers } from "@/lib/messaging/team/team-member";
import { endTeamNotice, newTeamNotice, notifyTeam, type TeamNotice } from "@/lib/messaging/team/team-notice";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

/** Who looks after a chat: a person, a team, or both. null removes one of them; what is absent stays. */
export const Assignment = z.object({ user_id: z.uuid().nullish(), team_id: z.uuid().nullish() });

type Assignment = z.infer<typeof Assignment>;

export const AssignChat = contract({
  summary: "Assign a chat to a person or a team",
  tag: "Chats",
  right: "send_messages",
  params: ChatParams,
  body: Assignment,
  status: 204,
  errors: ["chat_not_found", "access_denied", "parameter_invalid"],
});

type AssignInput = Pick<Input<typeof AssignChat>, "params" | "body">;
type LockedChat = RowOf<"lock-assignment">;

const LOCK_ASSIGNMENT = statement(
  "lock-assignment",
  `select id, line_id, assigned_to, team_id from chats
  where account_id = :accountId and id = :chatId for no key update`,
);

const ASSIGN_CHAT = statement(
  "assign-chat",
  `update chats set assigned_to = :userId, team_id = :teamId, inbox_state = coalesce(inbox_state, 'open')
  where account_id = :accountId and id = :chatId`,
);

/**
 * Assigns a chat to a person, to a team or to both, or removes an assignment. The same assignment again changes nothing. A
 * chat in which the customer has not written yet is open from then on. The members of a new team get a notice, except
 * the caller, when no person looks after the chat; it ends when one does or answers, or the chat is closed. Errors: as
 * `AssignChat`; parameter_invalid for a person or a team that the account does not have.
 */
export async function assignChat(ctx: Context, input: AssignInput): Promise<undefined> {
  requireAssignment(input.body);
  await assignWithNotice(ctx, input, newTeamNotice(ctx));
}

/** As `assignChat`, of one of several chats, which the team gets one notice of. Counts the chat in the notice. */
export async function assignWithNotice(
  ctx: Context,
  { params, body }: AssignInput,
  notice: TeamNotice,
): Promise<void> {
  const isNotified = await transaction(async (tx) => {
    if (body.user_id) await requireMembers(tx, ctx, [body.user_id]);
    const team = body.team_id ? await lockTeam(tx, ctx, body.team_id) : null;
    const [chat] = await tx.run(LOCK_ASSIGNMENT, { accountId: ctx.account.id, chatId: params.chatId });
    if (chat === undefined) return throwNotFoundOrDenied(params.chatId);
    const { user_id: userId = chat.assigned_to, team_id: teamId = chat.team_id } = body;
    if (userId === chat.assigned_to && teamId === chat.team_id) return false;
    await tx.run(ASSIGN_CHAT, { accountId: ctx.account.id, chatId: chat.id, userId, teamId });
    if (teamId !== chat.team_id) await recordTeam(tx, ctx, chat, team);
    if (userId !== chat.assigned_to) await recordPerson(tx, ctx, chat, userId);
    await endTeamNotice(tx, ctx, chat.id);
    if (team === null || teamId === chat.team_id || userId !== null) return false;
    await notifyTeam(tx, ctx, chat.id, team, notice);
    return true;
  });
  if (isNotified) notice.chats += 1;
}

/** Checks that an assignment names a person or a team. Errors: parameter_invalid. */
export function requireAssignment({ user_id, team_id }: Assignment): void {
  if (user_id === undefined && team_id === undefined)
    fail("parameter_invalid", "user_id or team_id is required");
}

const LOCK_TEAM = statement(
  "lock-team",
  "select id, name from teams where account_id = :accountId and id = :teamId for key share",
);

/** Finds a team of the account, which in a transaction stays until its end. Errors: parameter_invalid. */
export async function lockTeam(tx: Sql, ctx: Context, teamId: string): Promise<RowOf<"lock-team">> {
  const [team] = await tx.run(LOCK_TEAM, { accountId: ctx.account.id, teamId });
  return team ?? fail("parameter_invalid", "the account has no team with this ID");
}

async function recordTeam(
  tx: Sql,
  ctx: Context,
  chat: LockedChat,
  team: RowOf<"lock-team"> | null,
): Promise<void> {
  await addTeamEntry(tx, ctx, { chat, kind: "team_assigned", body: team?.name ?? null });
  const detail = { from: chat.team_id, to: team?.id ?? null, name: team?.name ?? null };
  await recordAudit(tx, ctx, "chat.team_assigned", "chat", chat.id, detail);
}

async function recordPerson(tx: Sql, ctx: Context, chat: LockedChat, userId: string | null): Promise<void> {
  await addTeamEntry(tx, ctx, { chat, kind: "assigned", aboutId: userId });
  await recordAudit(tx, ctx, "chat.assigned", "chat", chat.id, { from: chat.assigned_to, to: userId });
}
