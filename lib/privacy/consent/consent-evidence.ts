import "server-only";
import { z } from "zod";
import { actorSql, NamedActor } from "@/lib/identity/audit/actor-sql";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { OptOutDecision } from "@/lib/platform/prisma/enums";
import { CustomerParams } from "@/lib/recipients/handles/name-handle";
import { ListOptOuts, listOptOuts, type OptOut } from "@/lib/recipients/opt-outs/list-opt-outs";

const PAGE_ROWS = 100;
/** The most entries of each kind. A handle with more is not a person's. */
const MAX_ENTRIES = 1000;

export const ConsentEvidence = z.object({
  handle: z.string(),
  account: z.object({ id: z.uuid(), name: z.string() }),
  generated_at: z.iso.datetime(),
  /** Since when the handle is opted out; null = it is not. */
  opted_out_at: z.iso.datetime().nullable(),
  blocked_at: z.iso.datetime().nullable(),
  /** When the person first and last wrote to each line, which shows that the person began or continued it. */
  contacts: z.array(
    z.object({ line: z.string(), first_inbound_at: z.iso.datetime(), last_inbound_at: z.iso.datetime() }),
  ),
  /** Newest first, with the words that began each and the sends that overrode it. */
  opt_outs: ListOptOuts.returns.shape.opt_outs,
  /** Messages that may have meant to opt out, and the decision about each. Newest first. */
  near_misses: z.array(
    z.object({
      message_id: z.uuid(),
      word: z.string(),
      /** The text of the message while its content is stored. */
      words: z.string().nullable(),
      created_at: z.iso.datetime(),
      decision: z.enum(OptOutDecision).nullable(),
      decided_at: z.iso.datetime().nullable(),
      decided_by: NamedActor,
    }),
  ),
  /** Decisions of people and programs about the handle, from the audit log. Newest first. */
  decisions: z.array(
    z.object({ at: z.iso.datetime(), action: z.string(), by: NamedActor, note: z.string().nullable() }),
  ),
  /** Whether a list is longer than it is here. */
  is_truncated: z.boolean(),
});

export type ConsentEvidence = z.infer<typeof ConsentEvidence>;

export const GetConsentEvidence = contract({
  summary: "Get the consent evidence of a handle",
  tag: "Opt-outs",
  right: "view_opt_outs",
  params: CustomerParams,
  returns: ConsentEvidence,
  status: 200,
  errors: ["phone_not_e164"],
});

/** Returns everything that shows when and how a handle opted out and in. Errors: phone_not_e164. */
export async function getConsentEvidence(
  ctx: Context,
  { params }: Pick<Input<typeof GetConsentEvidence>, "params">,
): Promise<ConsentEvidence> {
  const { handle } = params;
  const [state, contacts, optOuts, nearMisses, decisions] = await Promise.all([
    readState(ctx, handle),
    readContacts(ctx, handle),
    readOptOuts(ctx, handle),
    readNearMisses(ctx, handle),
    readDecisions(ctx, handle),
  ]);
  const lists = [contacts, optOuts, nearMisses, decisions];
  return {
    handle,
    account: { id: ctx.account.id, name: state.account_name },
    generated_at: ctx.now.toISOString(),
    opted_out_at: state.opted_out_at,
    blocked_at: state.blocked_at,
    contacts: contacts.slice(0, MAX_ENTRIES),
    opt_outs: optOuts.slice(0, MAX_ENTRIES),
    near_misses: nearMisses.slice(0, MAX_ENTRIES),
    decisions: decisions.slice(0, MAX_ENTRIES),
    is_truncated: lists.some(({ length }) => length > MAX_ENTRIES),
  };
}

type State = RowOf<"read-consent-state">;

const READ_CONSENT_STATE = plannedStatement(
  "read-consent-state",
  `select a.name as account_name, ${isoSql("k.opted_out_at")} as opted_out_at,
    ${isoSql("k.blocked_at")} as blocked_at
  from accounts a left join contacts k on k.account_id = :accountId and k.handle = :handle where a.id = :accountId`,
);

async function readState(ctx: Context, handle: string): Promise<State> {
  const [state] = await sql.run(READ_CONSENT_STATE, { accountId: ctx.account.id, handle });
  return state ?? { account_name: "", opted_out_at: null, blocked_at: null };
}

const READ_LINE_CONTACTS = plannedStatement(
  "read-line-contacts",
  `select l.phone_number as line, ${isoSql("c.first_inbound_at")} as first_inbound_at,
    ${isoSql("c.last_inbound_at")} as last_inbound_at
  from lines l join line_contacts c on c.account_id = l.account_id and c.line_id = l.id and c.handle = :handle
  where l.account_id = :accountId order by c.first_inbound_at limit ${MAX_ENTRIES + 1}`,
);

function readContacts(ctx: Context, handle: string): Promise<ConsentEvidence["contacts"]> {
  return sql.run(READ_LINE_CONTACTS, { accountId: ctx.account.id, handle });
}

async function readOptOuts(ctx: Context, handle: string): Promise<OptOut[]> {
  const optOuts: OptOut[] = [];
  let cursor: string | undefined;
  do {
    const query = { state: "all" as const, handle, limit: PAGE_ROWS, cursor };
    const page = await listOptOuts(ctx, { query });
    optOuts.push(...page.opt_outs);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && optOuts.length <= MAX_ENTRIES);
  return optOuts;
}

const READ_NEAR_MISSES = plannedStatement(
  "read-near-misses",
  `select h.message_id, h.word, (
      select string_agg(part ->> 'value', ' ') from messages m cross join jsonb_array_elements(m.parts) part
      where m.account_id = h.account_id and m.id = h.message_id and m.deleted_at is null
        and part ->> 'type' = 'text') as words,
    ${isoSql("h.created_at")} as created_at, h.decision, ${isoSql("h.decided_at")} as decided_at,
    ${actorSql("h.decided_type", "h.decided_by", "h.account_id")} as "decided_by: ActorName"
  from opt_out_hints h where h.account_id = :accountId and h.handle = :handle
  order by h.id desc limit ${MAX_ENTRIES + 1}`,
);

function readNearMisses(ctx: Context, handle: string): Promise<ConsentEvidence["near_misses"]> {
  return sql.run(READ_NEAR_MISSES, { accountId: ctx.account.id, handle });
}

const READ_CONSENT_DECISIONS = plannedStatement(
  "read-consent-decisions",
  `select ${isoSql("e.created_at")} as at, e.action,
    ${actorSql("e.actor_type", "e.actor_id", "e.account_id")} as "by: ActorName",
    coalesce(e.detail ->> 'note', e.detail ->> 'reason') as note
  from audit_entries e
  where e.account_id = :accountId and e.object_type = 'handle' and e.object_id = :handle
    and e.action in ('opt_out.set', 'opt_out.ended', 'handle.blocked', 'handle.unblocked')
  order by e.id desc limit ${MAX_ENTRIES + 1}`,
);

function readDecisions(ctx: Context, handle: string): Promise<ConsentEvidence["decisions"]> {
  return sql.run(READ_CONSENT_DECISIONS, { accountId: ctx.account.id, handle });
}

function isoSql(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
