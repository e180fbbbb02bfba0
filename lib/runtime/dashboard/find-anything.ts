import "server-only";
import { z } from "zod";
import { isTrace } from "@/lib/events/store/event-blocks";
import { searchChats } from "@/lib/messaging/inbox/search-chats";
import { searchCustomers } from "@/lib/messaging/inbox/search-customers";
import { type FoundMessage, searchMessageViews } from "@/lib/messaging/search/search-message-views";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { ApiError } from "@/lib/platform/errors/errors";
import { hasRight } from "@/lib/platform/rights/role-rights";
import { maxUnits } from "@/lib/platform/text/max-units";
import { Finding } from "@/lib/runtime/dashboard/finding";
import { type FindQuery, readFindQuery } from "@/lib/runtime/dashboard/read-find-query";
import { customerPath, findById } from "@/lib/runtime/dashboard/rows/find-by-id";

/** Results of each type. */
const LIMIT = 5;
const MAX_TITLE_HANDLES = 3;

export const FindAnything = contract({
  summary: "Find objects by id, number, handle or name",
  tag: "Find",
  right: "signed_in",
  query: z.object({
    /** An id, a trace id, the number of an event, part of a phone number, email address or group name, or words of messages. */
    q: z.string().trim().min(2).check(maxUnits(320)),
  }),
  returns: z.object({ findings: z.array(Finding) }),
  status: 200,
  errors: ["parameter_invalid"],
});

type Searched = Extract<FindQuery, { type: "text" }>;

/**
 * Finds objects of the account for the command palette, at most five of a type. Objects that the caller has no right to
 * see are not found. Errors: parameter_invalid when a search takes too long, rate_limited when too many wait.
 */
export async function findAnything(
  ctx: Context,
  { query }: Pick<Input<typeof FindAnything>, "query">,
): Promise<{ findings: Finding[] }> {
  const asked = readFindQuery(query.q);
  const found = await Promise.all(searches(ctx, asked));
  return { findings: found.flat() };
}

function searches(ctx: Context, asked: FindQuery): Promise<Finding[]>[] {
  if (asked.type === "id") return [findById(ctx, asked.id), findMembers(ctx, { id: asked.id })];
  if (asked.type === "trace") return [findTrace(ctx, asked.id)];
  return [
    findEvent(ctx, asked.eventNumber),
    findLines(ctx, asked),
    findCustomers(ctx, asked),
    findChats(ctx, asked.text),
    findMessages(ctx, asked.text),
    findMembers(ctx, { email: asked.text.toLowerCase() }),
  ];
}

const FIND_TRACE = statement(
  "find-trace",
  `(select from events e where e.account_id = :accountId and not e.internal and ${isTrace("e.trace_id", ":id")} limit 1)
  union all
  (select from api_requests r where r.account_id = :accountId and ${isTrace("r.trace_id", ":id")} limit 1)
  limit 1`,
);

async function findTrace(ctx: Context, id: string): Promise<Finding[]> {
  if (!hasRight(ctx, "view_events")) return [];
  const rows = await sql.run(FIND_TRACE, { accountId: ctx.account.id, id });
  return rows.map(() => ({ type: "trace", id, title: "Trace", detail: id, path: `/traces/${id}` }));
}

const FIND_EVENT_NUMBER = statement(
  "find-event-number",
  "select id, type, seq from events where account_id = :accountId and seq = :number and not internal",
);

async function findEvent(ctx: Context, number: string | null): Promise<Finding[]> {
  if (number === null || !hasRight(ctx, "view_events")) return [];
  const rows = await sql.run(FIND_EVENT_NUMBER, { accountId: ctx.account.id, number });
  return rows.map(({ id, type, seq }) => ({
    type: "event",
    id,
    title: type,
    detail: `#${seq}`,
    path: `/events?q=${id}`,
  }));
}

const FIND_LINES_BY_PART = statement(
  "find-lines-by-part",
  `select id, phone_number, label, status::text as status from lines
  where account_id = :accountId and released_at is null and
    (:part::text is not null and position(:part in phone_number) > 0 or position(lower(:text) in lower(label)) > 0)
  order by phone_number limit ${LIMIT}`,
);

async function findLines(ctx: Context, { part, text }: Searched): Promise<Finding[]> {
  if (!hasRight(ctx, "view_lines")) return [];
  const digits = /^\d{3,}$/.test(part) ? part : null;
  const rows = await sql.run(FIND_LINES_BY_PART, { accountId: ctx.account.id, part: digits, text });
  return rows.map(({ id, phone_number, label, status: detail }) => ({
    type: "line",
    id,
    title: label === null ? phone_number : `${label} ${phone_number}`,
    detail,
    path: `/lines/${id}`,
  }));
}

async function findCustomers(ctx: Context, { part, handle }: Searched): Promise<Finding[]> {
  if (part === "" || !hasRight(ctx, "view_chats")) return [];
  const customers = await searchCustomers(ctx, { part, handle, limit: LIMIT });
  return customers.map(({ handle, name }) => ({
    type: "customer",
    id: handle,
    title: handle,
    detail: name,
    path: customerPath(handle),
  }));
}

const NAME_FOUND_CHATS = statement(
  "name-found-chats",
  `select c.id, c.service::text as service, coalesce(c.display_name, (
    select string_agg(p.handle, ', ') from (
      select p.handle from participants p where p.account_id = :accountId and p.chat_id = c.id and not p.is_me
      order by p.id limit ${MAX_TITLE_HANDLES}) p)) as title
  from chats c where c.account_id = :accountId and c.id = any(:ids::uuid[])
  order by array_position(:ids::uuid[], c.id)`,
);

async function findChats(ctx: Context, text: string): Promise<Finding[]> {
  if (!hasRight(ctx, "view_chats")) return [];
  const ids = await searchChats({ ctx, text, query: {}, cursor: null, limit: LIMIT });
  if (ids.length === 0) return [];
  const rows = await sql.run(NAME_FOUND_CHATS, { accountId: ctx.account.id, ids });
  return rows.map(({ id, title, service: detail }) => ({
    type: "chat",
    id,
    title: title ?? "No other members",
    detail,
    path: `/chats/${id}`,
  }));
}

async function findMessages(ctx: Context, q: string): Promise<Finding[]> {
  if (!hasRight(ctx, "view_chats")) return [];
  const query = { q, zone: "UTC", limit: LIMIT };
  const { messages } = await searchMessageViews(ctx, { query }).catch(nothingIfInvalid);
  return messages.map(({ id, chat_id, chat_name, sentence }) => ({
    type: "message",
    id,
    title: sentence.map(({ text }) => text).join(""),
    detail: chat_name,
    path: `/chats/${chat_id}?message=${id}`,
  }));
}

// What is typed in the palette need not be a search for messages: it may have no word, or half a date.
function nothingIfInvalid(error: unknown): { messages: FoundMessage[] } {
  if (error instanceof ApiError && error.errorName === "parameter_invalid") return { messages: [] };
  throw error;
}

const FIND_MEMBER = statement(
  "find-member",
  `select u.id, u.name, u.email from users u join memberships m on m.user_id = u.id
  where m.partner_id = :partnerId and (u.id = :byId::uuid or u.email = :email)`,
);

async function findMembers(ctx: Context, by: { id?: string; email?: string }): Promise<Finding[]> {
  if (!hasRight(ctx, "manage_people")) return [];
  const rows = await sql.run(FIND_MEMBER, {
    partnerId: ctx.account.partnerId,
    byId: by.id ?? null,
    email: by.email ?? null,
  });
  return rows.map(({ id, name, email }) => ({
    type: "member",
    id,
    title: name,
    detail: email,
    path: "/settings/people",
  }));
}
