import "server-only";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";

/** The state of an account that the go-to-production checklist checks. Counts stop at MAX_ROWS rows. */
export type ProductionState = RowOf<"production-state">;

const MAX_ROWS = 200;
const DAY_MS = 86_400_000;

const PRODUCTION_STATE = statement(
  "production-state",
  `with token as (
    select expires_at from api_tokens
    where account_id = :accountId and revoked_at is null and session_id is null and (expires_at is null or expires_at > :now)
    limit ${MAX_ROWS}
  ), line as (
    select l.is_up and l.connection is not null and l.status = 'ACTIVE' and l.reputation = 'HEALTHY' as is_healthy,
      exists (select from contact_cards c where c.account_id = l.account_id and c.line_id = l.id and c.is_active)
        as has_card
    from lines l where l.account_id = :accountId and l.released_at is null and l.transport <> 'simulator' limit ${MAX_ROWS}
  ), endpoint as (
    select s.failing_since is null and exists (
        select from webhook_attempt_counts n
        where n.account_id = s.account_id and n.subscription_id = s.id and n.hour >= :hour and n.outcome like '2__'
      ) as is_verified
    from webhook_subscriptions s
    where s.account_id = :accountId and s.deleted_at is null and s.is_active limit ${MAX_ROWS}
  )
  select
    (select jsonb_build_object('active', count(*), 'expiring', count(*) filter (where expires_at <= :expiresAt),
      'lasting', count(*) filter (where expires_at is null)) from token) as "tokens: { active: number; expiring: number; lasting: number; }",
    (select jsonb_build_object('real', count(*), 'healthy', count(*) filter (where is_healthy),
      'without_card', count(*) filter (where not has_card)) from line) as "lines: { real: number; healthy: number; without_card: number; }",
    (select jsonb_build_object('active', count(*), 'verified', count(*) filter (where is_verified))
      from endpoint) as "endpoints: { active: number; verified: number; }",
    (select jsonb_build_object('name', processor, 'can_charge', can_charge) from processor_connections
      where account_id = :accountId) as "processor: { name: string; can_charge: boolean; }"`,
);

/**
 * Reads the state in one statement, by keys that begin with the account. An endpoint counts as verified if it accepted
 * a delivery in the last seven days and is not failing.
 */
export async function readProductionState({ account, now }: Context): Promise<ProductionState> {
  const [row] = await sql.run(PRODUCTION_STATE, {
    accountId: account.id,
    now,
    expiresAt: new Date(now.getTime() + 7 * DAY_MS),
    hour: new Date(now.getTime() - 7 * DAY_MS),
  });
  if (row === undefined) throw new Error("the state for the checklist could not be read");
  return row;
}
