import "server-only";
import { z } from "zod";
import { Parameters } from "@/lib/events/store/event-conditions";
import { actorId } from "@/lib/identity/audit/record-audit";
import { readChatCursor } from "@/lib/messaging/inbox/chat-cursor";
import type { Context } from "@/lib/platform/context";
import type { SqlText } from "@/lib/platform/database/db";
import { firstIdAt } from "@/lib/platform/ids";
import { boundedSearch } from "@/lib/platform/lists/bounded-search";
import { ServiceType } from "@/lib/platform/prisma/enums";

const TIMEOUT_MS = 3000;
const FAILED_DAYS = 7;
const DAY_MS = 86_400_000;
/** The views of failed messages and of opted-out customers consider this many of the newest. */
const MAX_FOUND = 5000;

/** A view of the chat list. */
export const ChatListView = z.enum([
  /** Open, and the customer wrote last or a snooze has ended since the account last wrote. */
  "needs_reply",
  /** Open and assigned to neither a person nor a team. With `team_id`: open, of the team, and not assigned to a person. */
  "unassigned",
  /** Open and assigned to the caller. */
  "mine",
  /** Open and assigned to a team of the caller. */
  "my_teams",
  "snoozed",
  "closed",
  "unread",
  "at_risk",
  /** The recipient has opted out, in any chat. */
  "opted_out",
  /** A message failed in the last seven days. */
  "failed",
]);

type View = z.infer<typeof ChatListView>;

/** The conditions of the chat list, apart from its search. Each one has an index. */
export const chatConditionFields = {
  line_id: z.uuid().optional(),
  service: z.enum(ServiceType).optional(),
  /** The chats of a team, in every state. */
  team_id: z.uuid().optional(),
  view: ChatListView.optional(),
};

export interface ChatConditions {
  line_id?: string | undefined;
  service?: ServiceType | undefined;
  team_id?: string | undefined;
  view?: View | undefined;
}

export function isFiltered({ line_id, service, team_id, view }: ChatConditions): boolean {
  return line_id !== undefined || service !== undefined || team_id !== undefined || view !== undefined;
}

/** SQL conditions on `chats c` of the account. */
export function chatConditions(
  parameters: Parameters,
  ctx: Context,
  { line_id, service, team_id, view }: ChatConditions,
): string[] {
  return [
    ...(line_id === undefined ? [] : [`c.line_id = ${parameters.add(line_id)}::uuid`]),
    ...(service === undefined ? [] : [`c.service = ${parameters.add(service)}::service_type`]),
    ...(team_id === undefined ? [] : [`c.team_id = ${parameters.add(team_id)}::uuid`]),
    ...(view === undefined ? [] : [viewOf(parameters, ctx, view, team_id !== undefined)]),
  ];
}

// The chats of a team that wait are those without a person: without the team there would be none.
function viewOf(parameters: Parameters, ctx: Context, view: View, isOfTeam: boolean): string {
  return view === "unassigned" && isOfTeam ? WITHOUT_PERSON : VIEWS[view](parameters, ctx);
}

const WITHOUT_PERSON = "c.inbox_state = 'open' and c.assigned_to is null";

/** SQL: the views by the team's state, on `chats c`. Each one is the condition of a partial index, or part of one. */
export const INBOX_VIEWS = {
  needs_reply: "c.inbox_state = 'open' and c.needs_reply",
  unassigned: `${WITHOUT_PERSON} and c.team_id is null`,
  /** Assigned to anyone. Chats that were assigned before there were states have none. */
  assigned: "(c.inbox_state is null or c.inbox_state = 'open') and c.assigned_to is not null",
  /** Assigned to any team, whether or not to a person. */
  of_teams: "(c.inbox_state is null or c.inbox_state = 'open') and c.team_id is not null",
  snoozed: "c.inbox_state = 'snoozed'",
  closed: "c.inbox_state = 'closed'",
  unread: "c.is_unread",
};

/** SQL: the open chats of the teams of a user. */
export function ofMyTeams(accountId: string, userId: string): string {
  return `${INBOX_VIEWS.of_teams} and c.team_id = any(array(
    select m.team_id from team_members m where m.account_id = ${accountId} and m.user_id = ${userId}))`;
}

const VIEWS: Record<View, (parameters: Parameters, ctx: Context) => string> = {
  needs_reply: () => INBOX_VIEWS.needs_reply,
  unassigned: () => INBOX_VIEWS.unassigned,
  mine: (parameters, ctx) =>
    `${INBOX_VIEWS.assigned} and c.assigned_to = ${parameters.add(actorId(ctx.actor))}::uuid`,
  my_teams: (parameters, ctx) =>
    ofMyTeams(parameters.add(ctx.account.id), `${parameters.add(actorId(ctx.actor))}::uuid`),
  snoozed: () => INBOX_VIEWS.snoozed,
  closed: () => INBOX_VIEWS.closed,
  unread: () => INBOX_VIEWS.unread,
  at_risk: () => "(c.health_status = 'AT_RISK' or c.health_status = 'CRITICAL')",
  opted_out: (parameters, ctx) => {
    const account = parameters.add(ctx.account.id);
    return `c.id = any(array(select p.chat_id from (
        select o.handle from opt_outs o where o.account_id = ${account} and o.ended_at is null
        order by o.id desc limit ${MAX_FOUND}) o
      join participants p on p.account_id = ${account} and p.handle = o.handle and not p.is_me)) and not c.is_group`;
  },
  failed: (parameters, ctx) => {
    const account = parameters.add(ctx.account.id);
    const from = parameters.add(firstIdAt(ctx.now.getTime() - FAILED_DAYS * DAY_MS));
    return `c.id = any(array(select distinct m.chat_id from (
        select m.chat_id from messages m
        where m.account_id = ${account} and m.failed_at is not null and m.id >= ${from}::uuid
        order by m.id desc limit ${MAX_FOUND}) m))`;
  },
};

/** The ids of the chats of a filtered list, most recent activity first. Errors: parameter_invalid, rate_limited. */
export async function findFilteredChats(
  ctx: Context,
  query: ChatConditions,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<string[]> {
  const parameters = new Parameters();
  const account = parameters.add(ctx.account.id);
  const isOfMyTeams = query.view === "my_teams";
  const conditions = [
    `c.account_id = ${account}`,
    ...chatConditions(parameters, ctx, isOfMyTeams ? { ...query, view: undefined } : query),
    ...(isOfMyTeams ? [INBOX_VIEWS.of_teams, "c.team_id = m.team_id"] : []),
  ];
  if (cursor !== null) {
    const { at, id } = readChatCursor(cursor);
    const [lastAt, lastId] = [parameters.add(at), parameters.add(id)];
    conditions.push(
      `c.last_activity_at <= ${lastAt}::timestamptz and (c.last_activity_at < ${lastAt}::timestamptz or c.id < ${lastId}::uuid)`,
    );
  }
  const order = `order by c.last_activity_at desc, c.id desc limit ${limit}`;
  const page = `select c.id, c.last_activity_at from chats c where ${conditions.join(" and ")} ${order}`;
  // A page of each team in the index's order, and the newest of them: together the teams have no order in the index.
  const text = isOfMyTeams
    ? `select c.id from team_members m cross join lateral (${page}) c
      where m.account_id = ${account} and m.user_id = ${parameters.add(actorId(ctx.actor))}::uuid ${order}`
    : page;
  const rows = await boundedSearch(ctx.account.id, TIMEOUT_MS, (tx) =>
    tx.runText<{ id: string }>({ text, values: parameters.values }),
  );
  return rows.map(({ id }) => id);
}

/** The chats of a filtered list, to be counted by `totalOf`. */
export function selectFilteredChats(ctx: Context, query: ChatConditions): SqlText {
  const parameters = new Parameters();
  const conditions = [
    `c.account_id = ${parameters.add(ctx.account.id)}`,
    ...chatConditions(parameters, ctx, query),
  ];
  return { text: `select from chats c where ${conditions.join(" and ")}`, values: parameters.values };
}
