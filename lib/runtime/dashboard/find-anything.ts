import "server-only";
import { z } from "zod";
import { isTrace } from "@/lib/events/store/event-blocks";
import { searchChats } from "@/lib/messaging/inbox/search-chats";
import { searchCustomers } from "@/lib/messaging/inbox/search-customers";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
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
    /** An id, a trace id, the number of an event, or part of a phone number, email address or group name. */
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
    findLines(ctx, asked.part),
    findCustomers(ctx, asked),
    findChats(ctx, asked.text),
    findMembers(ctx, { email: asked.text.toLowerCase() }),
  ];
}

async function findTrace(ctx: Context, id: string): Promise<Finding[]> {
  if (!hasRight(ctx, "view_events")) return [];
  const rows = await sql.query({
    name: "find-trace",
    text: `(select from events e where e.account_id = $1 and not e.internal and ${isTrace("e.trace_id", "$2")} limit 1)
           union all
           (select from api_requests r where r.account_id = $1 and ${isTrace("r.trace_id", "$2")} limit 1)
           limit 1`,
    values: [ctx.account.id, id],
  });
  return rows.map(() => ({ type: "trace", id, title: "Trace", detail: id, path: `/traces/${id}` }));
}

async function findEvent(ctx: Context, number: string | null): Promise<Finding[]> {
  if (number === null || !hasRight(ctx, "view_events")) return [];
  const rows = await sql.query<{ id: string; type: string; seq: string }>({
    name: "find-event-number",
    text: "select id, type, seq from events where account_id = $1 and seq = $2 and not internal",
    values: [ctx.account.id, number],
  });
  return rows.map(({ id, type, seq }) => ({
    type: "event",
    id,
    title: type,
    detail: `#${seq}`,
    path: `/events?q=${id}`,
  }));
}

async function findLines(ctx: Context, part: string): Promise<Finding[]> {
  if (!/^\d{3,}$/.test(part) || !hasRight(ctx, "view_lines")) return [];
  const rows = await sql.query<{ id: string; phone_number: string; status: string }>({
    name: "find-lines-by-part",
    text: `select id, phone_number, status::text as status from lines
           where account_id = $1 and released_at is null and position($2 in phone_number) > 0
           order by phone_number limit ${LIMIT}`,
    values: [ctx.account.id, part],
  });
  return rows.map(({ id, phone_number: title, status: detail }) => ({
    type: "line",
    id,
    title,
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

async function findChats(ctx: Context, text: string): Promise<Finding[]> {
  if (!hasRight(ctx, "view_chats")) return [];
  const ids = await searchChats({ ctx, text, query: {}, cursor: null, limit: LIMIT });
  if (ids.length === 0) return [];
  const rows = await sql.query<{ id: string; title: string | null; service: string | null }>({
    name: "name-found-chats",
    text: `select c.id, c.service::text as service, coalesce(c.display_name, (
             select string_agg(p.handle, ', ') from (
               select p.handle from participants p where p.account_id = $1 and p.chat_id = c.id and not p.is_me
               order by p.id limit ${MAX_TITLE_HANDLES}) p)) as title
           from chats c where c.account_id = $1 and c.id = any($2::uuid[])
           order by array_position($2::uuid[], c.id)`,
    values: [ctx.account.id, ids],
  });
  return rows.map(({ id, title, service: detail }) => ({
    type: "chat",
    id,
    title: title ?? "No other members",
    detail,
    path: `/chats/${id}`,
  }));
}

async function findMembers(ctx: Context, by: { id?: string; email?: string }): Promise<Finding[]> {
  if (!hasRight(ctx, "manage_people")) return [];
  const rows = await sql.query<{ id: string; name: string; email: string }>({
    name: "find-member",
    text: `select u.id, u.name, u.email from users u join memberships m on m.user_id = u.id
           where m.partner_id = $1 and (u.id = $2::uuid or u.email = $3)`,
    values: [ctx.account.partnerId, by.id ?? null, by.email ?? null],
  });
  return rows.map(({ id, name, email }) => ({
    type: "member",
    id,
    title: name,
    detail: email,
    path: "/settings/people",
  }));
}
