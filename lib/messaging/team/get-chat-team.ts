import "server-only";
import { z } from "zod";
import { ChatParams } from "@/lib/messaging/chats/chat";
import { throwNotFoundOrDenied } from "@/lib/messaging/chats/find-chat";
import { TeamMember } from "@/lib/messaging/team/team-member";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { ChatInboxState } from "@/lib/platform/prisma/enums";

/** The team's state of a chat. Never part of the partner API. */
export const ChatTeam = z.object({
  /** Idle minutes after which a chat goes back to the API; null = taking over is off for the account. */
  take_over_minutes: z.int().nullable(),
  /** The person who took the chat over. */
  hold: z
    .object({ by: TeamMember, is_you: z.boolean(), since: z.iso.datetime(), until: z.iso.datetime() })
    .nullable(),
  /** Since when API sends are on hold, because two programs answer each other; null = they are not. */
  loop_held_at: z.iso.datetime().nullable(),
  /** The person who looks after the chat. */
  assignee: TeamMember.nullable(),
  /** The team that looks after the chat, beside the person or without one. */
  team: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** Whether the account has teams that the chat can be assigned to. */
  has_teams: z.boolean(),
  /** Whether the account has not read the newest inbound messages. Shared by the team. */
  is_unread: z.boolean(),
  /** Where the chat stands in the inbox; null = the customer has not written yet, and no one looks after it. */
  inbox_state: z.enum(ChatInboxState).nullable(),
  /** When a snoozed chat is open again; null in every other state. */
  snoozed_until: z.iso.datetime().nullable(),
});

export type ChatTeam = z.infer<typeof ChatTeam>;

export const GetChatTeam = contract({
  summary: "Get the team's state of a chat",
  tag: "Chats",
  right: "view_chats",
  params: ChatParams,
  returns: ChatTeam,
  status: 200,
  errors: ["chat_not_found", "access_denied"],
});

type Row = RowOf<"get-chat-team">;

const FORMER_MEMBER = "A former member";

const GET_CHAT_TEAM = statement(
  "get-chat-team",
  `select a.take_over_minutes, c.held_by, c.held_at, c.held_until, holder.name as holder,
    c.assigned_to, assignee.name as assignee, c.team_id, t.name as team, exists (select from teams where account_id = c.account_id) as "has_teams!", c.is_unread,
    c.inbox_state, c.snoozed_until, case when a.loop_exchanges is not null and c.loop_held_until > :now then c.loop_held_at end as loop_held_at
  from chats c join accounts a on a.id = c.account_id
  left join users holder on holder.id = c.held_by left join users assignee on assignee.id = c.assigned_to
  left join teams t on t.account_id = c.account_id and t.id = c.team_id
  where c.account_id = :accountId and c.id = :chatId`,
);

/** Returns who holds a chat and looks after it. Takes one statement. Errors: chat_not_found, access_denied. */
export async function getChatTeam(
  ctx: Context,
  { params }: Pick<Input<typeof GetChatTeam>, "params">,
): Promise<ChatTeam> {
  const [row] = await sql.run(GET_CHAT_TEAM, {
    accountId: ctx.account.id,
    chatId: params.chatId,
    now: ctx.now,
  });
  if (row === undefined) return throwNotFoundOrDenied(params.chatId);
  return {
    take_over_minutes: row.take_over_minutes,
    hold: toHold(ctx, row),
    loop_held_at: row.loop_held_at?.toISOString() ?? null,
    assignee: row.assigned_to === null ? null : { id: row.assigned_to, name: row.assignee ?? FORMER_MEMBER },
    team: toTeam(row),
    has_teams: row.has_teams,
    is_unread: row.is_unread,
    inbox_state: row.inbox_state,
    snoozed_until: row.snoozed_until?.toISOString() ?? null,
  };
}

/** The team of a chat; a snapshot that an older release restored may name one that is gone. */
export function toTeam({ team_id, team }: { team_id: string | null; team: string | null }) {
  return team_id === null ? null : { id: team_id, name: team ?? "A deleted team" };
}

function toHold(ctx: Context, row: Row): ChatTeam["hold"] {
  const { take_over_minutes, held_by, held_at, held_until, holder } = row;
  if (take_over_minutes === null || held_by === null || held_at === null || held_until === null) return null;
  if (held_until <= ctx.now) return null;
  return {
    by: { id: held_by, name: holder ?? FORMER_MEMBER },
    is_you: ctx.actor.type === "user" && ctx.actor.userId === held_by,
    since: held_at.toISOString(),
    until: held_until.toISOString(),
  };
}
