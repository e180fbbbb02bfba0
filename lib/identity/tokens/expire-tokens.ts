import "server-only";
import { emitAccountEvent, requestChange } from "@/lib/events/store/emit-account-event";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { tokenExpiringMail } from "@/lib/identity/mail/mail-texts";
import { isMailOn, queueMail } from "@/lib/identity/mail/queue-mail";
import { recordNotice, withdrawNotices } from "@/lib/identity/notices/record-notice";
import { apiTokenRef } from "@/lib/identity/tokens/api-token";
import { TOKEN_EVENTS } from "@/lib/identity/tokens/token-events";
import type { Context } from "@/lib/platform/context";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { newTraceId } from "@/lib/platform/ids";
import { roleHasRight } from "@/lib/platform/rights/role-rights";
import { now } from "@/lib/platform/time/clock";

const BATCH_ROWS = 100;
const DAY_MS = 86_400_000;
/** The people of a partner who get an email about one token. */
const MAX_RECIPIENTS = 100;
const ROLE_NAMES = ["admin", "developer", "support", "viewer"] as const;
const EXPIRING = "api_token_expiring";
const EXPIRED = "api_token_expired";

/** The notices about the expiry of a token. */
export const EXPIRY_NOTICES: readonly string[] = [EXPIRING, EXPIRED];

type DueRow = RowOf<"lock-expiring-tokens">;

/**
 * Reports expired tokens (`api_token.expired` and a notice), and notifies users seven days and one day before expiry, by
 * a notice and, with SMTP_URL, by email.
 * Tokens are rejected from their expiry on, whether or not this has run. Returns the number of tokens reported.
 */
export async function expireTokens(stop: AbortSignal): Promise<number> {
  let reported = 0;
  while (!stop.aborted) {
    const count = await transaction(reportBatch);
    reported += count;
    if (count < BATCH_ROWS) break;
  }
  return reported;
}

const LOCK_EXPIRING_TOKENS = plannedStatement(
  "lock-expiring-tokens",
  `select t.account_id, a.partner_id, a.type, t.id, t.name, t.prefix, t.expires_at,
    t.expiry_notice_days, a.name as account_name
  from api_tokens t join accounts a on a.id = t.account_id
  where t.expires_at is not null and t.expired_at is null and t.revoked_at is null
    and t.expires_at <= :weekAhead and t.session_id is null
    and (t.expires_at <= :now or t.expiry_notice_days is null
      or (t.expiry_notice_days > 1 and t.expires_at <= :dayAhead))
  order by t.expires_at limit ${BATCH_ROWS} for no key update of t skip locked`,
);

async function reportBatch(tx: Sql): Promise<number> {
  const at = now();
  const rows = await tx.run(LOCK_EXPIRING_TOKENS, {
    now: at,
    weekAhead: new Date(at.getTime() + 7 * DAY_MS),
    dayAhead: new Date(at.getTime() + DAY_MS),
  });
  for (const row of rows) await (row.expires_at <= at ? reportExpired(tx, row, at) : warn(tx, row, at));
  return rows.length;
}

const MARK_TOKEN_EXPIRED = plannedStatement(
  "mark-token-expired",
  "update api_tokens set expired_at = :expiredAt where account_id = :accountId and id = :id",
);

async function reportExpired(tx: Sql, row: DueRow, at: Date): Promise<void> {
  const ctx = systemContext(row, at);
  await tx.run(MARK_TOKEN_EXPIRED, { accountId: row.account_id, id: row.id, expiredAt: at });
  await recordAudit(tx, ctx, "api_token.expired", "api_token", row.id, {
    name: row.name,
    prefix: row.prefix,
  });
  await emitAccountEvent(tx, requestChange(ctx), TOKEN_EVENTS["api_token.expired"], {
    api_token: apiTokenRef(row),
  });
  await withdrawNotices(tx, { accountId: row.account_id, objectId: row.id, kinds: EXPIRY_NOTICES, at });
  if (row.expiry_notice_days === 0) return;
  await recordNotice(tx, {
    ...noticed(row, at),
    kind: EXPIRED,
    severity: "critical",
    title: `API token "${row.name}" has expired`,
    body: "Requests with this token fail with status 401. Create a new token for the programs that use it.",
  });
}

const RECORD_TOKEN_EXPIRY_NOTICE = plannedStatement(
  "record-token-expiry-notice",
  "update api_tokens set expiry_notice_days = :days where account_id = :accountId and id = :id",
);

async function warn(tx: Sql, row: DueRow, at: Date): Promise<void> {
  const days = row.expires_at.getTime() - at.getTime() <= DAY_MS ? 1 : 7;
  await tx.run(RECORD_TOKEN_EXPIRY_NOTICE, { accountId: row.account_id, id: row.id, days });
  await withdrawNotices(tx, { accountId: row.account_id, objectId: row.id, kinds: EXPIRY_NOTICES, at });
  await recordNotice(tx, {
    ...noticed(row, at),
    kind: EXPIRING,
    severity: days === 1 ? "critical" : "warning",
    title: `API token "${row.name}" expires within ${days === 1 ? "a day" : "7 days"}`,
    body: `It expires at ${row.expires_at.toISOString()}. Roll the token or extend its expiry before then.`,
  });
  await mailManagers(tx, row, days);
}

const FIND_MANAGER_EMAILS = plannedStatement(
  "find-manager-emails",
  `select u.email from memberships m join users u on u.id = m.user_id
  where m.partner_id = :partnerId and m.role::text = any(:rolenames) order by m.user_id limit ${MAX_RECIPIENTS}`,
);

async function mailManagers(tx: Sql, row: DueRow, days: 1 | 7): Promise<void> {
  if (!isMailOn()) return;
  const managers = await tx.run(FIND_MANAGER_EMAILS, {
    partnerId: row.partner_id,
    rolenames: ROLE_NAMES.filter((role) => roleHasRight({ role }, "manage_tokens")),
  });
  const { name, prefix, expires_at: expiresAt, account_name: account } = row;
  const mail = tokenExpiringMail({ name, prefix, account, expiresAt, days });
  const usefulMs = row.expires_at.getTime() - now().getTime();
  for (const { email } of managers) {
    await queueMail(tx, { type: "token_expiring", recipient: email, mail, usefulMs });
  }
}

function noticed({ account_id: accountId, id: objectId }: DueRow, at: Date) {
  return { accountId, objectId, link: "/tokens", at };
}

function systemContext({ account_id: id, partner_id: partnerId, type }: DueRow, at: Date): Context {
  return { account: { id, partnerId, type }, actor: { type: "system" }, traceId: newTraceId(), now: at };
}
