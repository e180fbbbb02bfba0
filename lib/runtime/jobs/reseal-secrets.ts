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
    const rows = await sql.query<{ first: string; second: string; sealed: Buffer }>({
      text: `select ${first} as first, ${second} as second, ${column} as sealed from ${from}
             where ${where} and (${first}, ${second}) > ($1, $2) order by ${first}, ${second} limit ${BATCH_ROWS}`,
      values: after,
    });
    const changes = rows.flatMap((row) => {
      const fresh = reseal(row.sealed, contextOf(row.first, row.second), total);
      return fresh === null ? [] : [{ ...row, fresh }];
    });
    const updated = await sql.query({
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

async function resealPeppers(total: Resealed): Promise<void> {
  const rows = await sql.query<{ id: string; handle_pepper: Buffer }>({
    text: "select id, handle_pepper from accounts where handle_pepper is not null",
  });
  for (const { id, handle_pepper: sealed } of rows) {
    const fresh = reseal(sealed, pepperContext(id), total);
    if (fresh === null) continue;
    const updated = await sql.query({
      text: "update accounts set handle_pepper = $2 where id = $1 and handle_pepper = $3 returning 1",
      values: [id, fresh, sealed],
    });
    total.resealed += updated.length;
  }
}

async function resealEvents(total: Resealed, stop: AbortSignal): Promise<void> {
  const accounts = await sql.query<{ id: string }>({
    text: `select id from accounts a where exists (select from payment_requests r where r.account_id = a.id)`,
  });
  for (const { id } of accounts) {
    for (const type of CHECKOUT_EVENTS) await resealEventsOf(id, type, total, stop);
  }
}

interface EventRow {
  seq: string;
  request_id: string;
  sealed: string;
}

async function resealEventsOf(
  accountId: string,
  type: string,
  total: Resealed,
  stop: AbortSignal,
): Promise<void> {
  let after = "0";
  while (!stop.aborted) {
    const rows = await sql.query<EventRow>({
      text: `select seq, data ->> 'id' as request_id, data -> 'checkout' ->> 'sealed' as sealed from events
             where account_id = $1 and type = $2 and not internal and seq > $3 and data -> 'checkout' ? 'sealed'
             order by seq limit ${BATCH_ROWS}`,
      values: [accountId, type, after],
    });
    for (const { seq, request_id: id, sealed } of rows) {
      const context = checkoutSessionContext({ accountId, id });
      const fresh = reseal(Buffer.from(sealed, "base64"), context, total);
      if (fresh === null) continue;
      const checkout = { sealed: fresh.toString("base64"), account_id: accountId, request_id: id };
      await sql.query({
        text: `update events set data = jsonb_set(data, '{checkout}', (data -> 'checkout') || $3::jsonb)
               where account_id = $1 and seq = $2`,
        values: [accountId, seq, JSON.stringify(checkout)],
      });
      total.resealed++;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_ROWS) return;
    after = last.seq;
  }
}

interface MessageRow {
  account_id: string;
  id: string;
  parts: { sealed?: string }[];
}

// One-time codes in unsent messages. After sending, they are never opened again.
async function resealPendingMessages(total: Resealed): Promise<void> {
  const rows = await sql.query<MessageRow>({
    text: `select account_id, id, parts from messages
           where dispatch_at is not null and jsonb_path_exists(parts, '$[*].sealed')`,
  });
  for (const { account_id: accountId, id: messageId, parts } of rows) {
    const fresh = parts.map((part) => {
      if (part.sealed === undefined) return part;
      const context = secretTextContext({ accountId, messageId });
      const sealed = reseal(Buffer.from(part.sealed, "base64"), context, total)?.toString("base64");
      return { ...part, sealed: sealed ?? part.sealed };
    });
    const updated = await sql.query({
      text: `update messages set parts = $4::jsonb
             where account_id = $1 and id = $2 and parts = $3::jsonb and parts <> $4::jsonb returning 1`,
      values: [accountId, messageId, JSON.stringify(parts), JSON.stringify(fresh)],
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
