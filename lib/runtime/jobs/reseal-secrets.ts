import "server-only";
import { mailContext } from "@/lib/identity/mail/queue-mail";
import { refreshTokenContext } from "@/lib/identity/sessions/sso-session";
import { lineConnectionContext } from "@/lib/lines/connections/line-connection";
import { standbyContext } from "@/lib/lines/transports/line-transport-rows";
import { secretTextContext } from "@/lib/messaging/content/secret-text";
import { sourceContext } from "@/lib/messaging/inbound/awaited-files";
import { checkoutSessionContext } from "@/lib/payments/requests/checkout-session";
import { resealed, type SealContext, UnreadableSecret } from "@/lib/platform/crypto/crypto";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { pepperContext } from "@/lib/recipients/erased-handles/handle-pepper";
import { setAsideContext } from "@/lib/runtime/intake/set-aside";
import { signingSecretContext } from "@/lib/webhooks/signing/signing-secrets";

const BATCH_ROWS = 500;
const NO_ID = "00000000-0000-0000-0000-000000000000";
/** The events that carry the sealed session of a checkout link. */
const CHECKOUT_EVENTS = ["payment.succeeded", "payment.canceled", "payment.expired"];

interface SealedColumn {
  table: string;
  column: string;
  where: string;
  /** The columns that name a row, if they are not its account and its id. */
  key?: readonly [first: string, second: string];
  /** The rows with the first column of the key, if it is in another table. The second one is unique then. */
  from?: string;
  contextOf(first: string, second: string): SealContext;
}

const COLUMNS: readonly SealedColumn[] = [
  {
    table: "webhook_subscriptions",
    column: "signing_secret",
    where: "deleted_at is null",
    contextOf: signingSecretContext,
  },
  {
    table: "webhook_subscriptions",
    column: "previous_secret",
    where: "previous_secret is not null",
    contextOf: signingSecretContext,
  },
  {
    table: "payment_requests",
    column: "session_sealed",
    where: "true",
    contextOf: (accountId, id) => checkoutSessionContext({ accountId, id }),
  },
  { table: "lines", column: "connection", where: "connection is not null", contextOf: lineConnectionContext },
  { table: "line_standbys", column: "connection", where: "true", contextOf: standbyContext },
  { table: "set_aside_events", column: "payload", where: "payload is not null", contextOf: setAsideContext },
  {
    table: "awaited_files",
    column: "source",
    where: "true",
    key: ["account_id", "attachment_id"],
    contextOf: sourceContext,
  },
  {
    table: "sso_sessions",
    column: "refresh_token",
    where: "refresh_token is not null",
    key: ["user_id", "session_id"],
    from: "sso_sessions join sessions on sessions.id = session_id",
    contextOf: refreshTokenContext,
  },
  {
    table: "outgoing_mails",
    column: "sealed",
    where: "sealed is not null",
    key: ["id", "id"],
    contextOf: (id) => mailContext(id),
  },
];

export interface Resealed {
  /** Resealed under the first key of ENCRYPTION_KEY, bound to account and row. */
  resealed: number;
  /** Left unchanged because no key opens them. */
  unreadable: number;
}

/**
 * Reseals every stored secret that is not under the first key of ENCRYPTION_KEY, or not bound to its account and row.
 * A concurrent change of a secret is preserved. Stops after the current batch when `stop` is aborted.
 */
export async function resealSecrets(stop: AbortSignal = new AbortController().signal): Promise<Resealed> {
  const total: Resealed = { resealed: 0, unreadable: 0 };
  for (const column of COLUMNS) await resealColumn(column, total, stop);
  await resealPeppers(total);
  await resealEvents(total, stop);
  await resealPendingMessages(total);
  return total;
}

async function resealColumn(sealed: SealedColumn, total: Resealed, stop: AbortSignal): Promise<void> {
  const { table, column, where, key: [first, second] = ["account_id", "id"], contextOf } = sealed;
  const { from = table } = sealed;
  const ofRow = `t.${second} = c.second${sealed.from === undefined ? ` and t.${first} = c.first` : ""}`;
  let after = [NO_ID, NO_ID];
  while (!stop.aborted) {
    const rows = await sql.runText<{ first: string; second: string; sealed: Buffer }>({
      text: `select ${first} as first, ${second} as second, ${column} as sealed from ${from}
             where ${where} and (${first}, ${second}) > ($1, $2) order by ${first}, ${second} limit ${BATCH_ROWS}`,
      values: after,
    });
    const changes = rows.flatMap((row) => {
      const fresh = reseal(row.sealed, contextOf(row.first, row.second), total);
      return fresh === null ? [] : [{ ...row, fresh }];
    });
    const updated = await sql.runText({
      text: `update ${table} t set ${column} = c.fresh
             from unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::bytea[]) as c(first, second, sealed, fresh)
             where ${ofRow} and t.${column} = c.sealed returning 1`,
      values: [
        changes.map((change) => change.first),
        changes.map((change) => change.second),
        changes.map((change) => change.sealed),
        changes.map((change) => change.fresh),
      ],
    });
    total.resealed += updated.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_ROWS) return;
    after = [last.first, last.second];
  }
}

const FIND_SEALED_PEPPERS = plannedStatement(
  "find-sealed-peppers",
  "select id, handle_pepper from accounts where handle_pepper is not null",
);

const RESEAL_PEPPER = plannedStatement(
  "reseal-pepper",
  "update accounts set handle_pepper = :fresh where id = :id and handle_pepper = :sealed returning 1",
);

async function resealPeppers(total: Resealed): Promise<void> {
  const rows = await sql.run(FIND_SEALED_PEPPERS);
  for (const { id, handle_pepper: sealed } of rows) {
    const fresh = reseal(sealed, pepperContext(id), total);
    if (fresh === null) continue;
    const updated = await sql.run(RESEAL_PEPPER, { id, fresh, sealed });
    total.resealed += updated.length;
  }
}

const FIND_ACCOUNTS_WITH_PAYMENT_REQUESTS = plannedStatement(
  "find-accounts-with-payment-requests",
  `select id from accounts a where exists (select from payment_requests r where r.account_id = a.id)`,
);

async function resealEvents(total: Resealed, stop: AbortSignal): Promise<void> {
  const accounts = await sql.run(FIND_ACCOUNTS_WITH_PAYMENT_REQUESTS);
  for (const { id } of accounts) {
    for (const type of CHECKOUT_EVENTS) await resealEventsOf(id, type, total, stop);
  }
}

const FIND_SEALED_EVENTS = plannedStatement(
  "find-sealed-events",
  `select seq, data ->> 'id' as "request_id!", data -> 'checkout' ->> 'sealed' as "sealed!" from events
  where account_id = :accountId and type = :type and not internal and seq > :after and data -> 'checkout' ? 'sealed'
  order by seq limit ${BATCH_ROWS}`,
);

const RESEAL_EVENT = plannedStatement(
  "reseal-event",
  `update events set data = jsonb_set(data, '{checkout}', (data -> 'checkout') || :checkout::jsonb)
  where account_id = :accountId and seq = :seq`,
);

async function resealEventsOf(
  accountId: string,
  type: string,
  total: Resealed,
  stop: AbortSignal,
): Promise<void> {
  let after = "0";
  while (!stop.aborted) {
    const rows = await sql.run(FIND_SEALED_EVENTS, { accountId, type, after });
    for (const { seq, request_id: id, sealed } of rows) {
      const context = checkoutSessionContext({ accountId, id });
      const fresh = reseal(Buffer.from(sealed, "base64"), context, total);
      if (fresh === null) continue;
      const checkout = { sealed: fresh.toString("base64"), account_id: accountId, request_id: id };
      await sql.run(RESEAL_EVENT, { accountId, seq, checkout: JSON.stringify(checkout) });
      total.resealed++;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_ROWS) return;
    after = last.seq;
  }
}

const FIND_SEALED_MESSAGES = plannedStatement(
  "find-sealed-messages",
  `select account_id, id, parts as "parts: { sealed?: string }[]" from messages
  where dispatch_at is not null and jsonb_path_exists(parts, '$[*].sealed')`,
);

const RESEAL_MESSAGE = plannedStatement(
  "reseal-message",
  `update messages set parts = :fresh::jsonb
  where account_id = :accountId and id = :messageId and parts = :parts::jsonb and parts <> :fresh::jsonb returning 1`,
);

// One-time codes in unsent messages. After sending, they are never opened again.
async function resealPendingMessages(total: Resealed): Promise<void> {
  const rows = await sql.run(FIND_SEALED_MESSAGES);
  for (const { account_id: accountId, id: messageId, parts } of rows) {
    const fresh = parts.map((part) => {
      if (part.sealed === undefined) return part;
      const context = secretTextContext({ accountId, messageId });
      const sealed = reseal(Buffer.from(part.sealed, "base64"), context, total)?.toString("base64");
      return { ...part, sealed: sealed ?? part.sealed };
    });
    const updated = await sql.run(RESEAL_MESSAGE, {
      accountId,
      messageId,
      parts: JSON.stringify(parts),
      fresh: JSON.stringify(fresh),
    });
    total.resealed += updated.length;
  }
}

function reseal(sealed: Buffer, context: SealContext, total: Resealed): Buffer | null {
  try {
    return resealed(sealed, context);
  } catch (error) {
    if (!(error instanceof UnreadableSecret)) throw error;
    total.unreadable++;
    return null;
  }
}
