import "server-only";
import { z } from "zod";
import { allTransports } from "@/lib/adapters/transports/registry";
import { throwNotFoundOrDenied } from "@/lib/lines/lines/find-line";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const MAX_SHOWN = 100;

/** An event that could not be stored, or that the transport refused, on the page of its line. It shows no content. */
const SetAsideEvent = z.object({
  id: z.uuid(),
  /** The type of the event; refused = the transport refused what arrived. */
  type: z.string(),
  reason: z.string(),
  /** How often it arrived. */
  times: z.int(),
  first_at: z.iso.datetime(),
  last_at: z.iso.datetime(),
  /** Whether the event was kept and can be tried again: what could not be read, only where its transport reads it again. */
  can_retry: z.boolean(),
});

export type SetAsideEvent = z.infer<typeof SetAsideEvent>;

export const ListSetAside = contract({
  summary: "List the inbound events of a phone line that were set aside or refused",
  tag: "Phone lines",
  right: "connect_lines",
  params: z.object({ lineId: z.uuid() }),
  returns: z.object({ events: z.array(SetAsideEvent) }),
  status: 200,
  errors: ["access_denied", "line_not_found"],
  extension: true,
});

const LIST_SET_ASIDE = statement(
  "list-set-aside",
  `select e.id as "id!", e.type as "type!", e.reason as "reason!", e.times as "times!", e.first_at as "first_at!", e.last_at as "last_at!", e.payload is not null and (e.type <> 'unreadable' or l.transport = any(:rereading)) as "can_retry!"
  from lines l left join lateral (
    select * from set_aside_events e where e.account_id = l.account_id and e.line_id = l.id
    order by e.last_at desc, e.id desc limit ${MAX_SHOWN}
  ) e on true
  where l.account_id = :accountId and l.id = :lineId and l.released_at is null`,
);

/** Returns the newest events of a line that were set aside or refused. Errors: line_not_found, access_denied. */
export async function listSetAside(ctx: Context, { params }: Pick<Input<typeof ListSetAside>, "params">) {
  const rereading = allTransports().flatMap(({ name, readAgain }) => (readAgain === undefined ? [] : [name]));
  const rows = await sql.run(LIST_SET_ASIDE, { accountId: ctx.account.id, lineId: params.lineId, rereading });
  if (rows.length === 0) return throwNotFoundOrDenied(ctx, params.lineId);
  const events = rows.flatMap((row) =>
    row.id === null
      ? []
      : [{ ...row, first_at: row.first_at.toISOString(), last_at: row.last_at.toISOString() }],
  );
  return { events };
}
