import "server-only";
import { cancelPayment } from "@/lib/payments/agent-payments/cancel-payment";
import { cancelPaymentRequest } from "@/lib/payments/requests/cancel-payment-request";
import { revokeHandle } from "@/lib/payments/wallet/revoke-handle";
import { type Sql, sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { ApiError } from "@/lib/platform/errors/errors";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";
import { contextOf, type Erasure, type Step } from "@/lib/privacy/erasure/erasure";
import { EMPTIED_IN_PAYMENT_REQUESTS } from "@/lib/privacy/erasure/person-tables";
import { erasedHandle } from "@/lib/recipients/erased-handles/erased-handles";

/** After this many tries, a processor or card provider that does not answer no longer holds up an erasure. */
const MAX_ATTEMPTS = 5;

/**
 * Ends what is open about money, while the person can still be named to the processors: connections of agents, agent
 * payments and payment requests. A payment that the payer is making is left to end by itself.
 */
export const endPayments: Step = {
  name: "end-payments",
  async prepare(erasure) {
    const ctx = contextOf(erasure, now());
    await unlessUnreachable(erasure, () => revokeHandle(ctx, { params: { handle: erasure.handle } }));
    for (const { id, is_agents } of await findOpen(erasure)) {
      await unlessUnreachable(erasure, () =>
        is_agents
          ? cancelPayment(ctx, { params: { paymentId: id } })
          : cancelPaymentRequest(ctx, { params: { paymentRequestId: id } }),
      );
    }
    return {};
  },
  run: async () => ({ counts: {}, cursor: null }),
};

async function unlessUnreachable(erasure: Erasure, end: () => Promise<unknown>): Promise<void> {
  try {
    await end();
  } catch (error) {
    if (error instanceof ApiError && error.errorName === "state_conflict") return;
    if (erasure.attempts < MAX_ATTEMPTS) throw error;
    log.warn({ err: error, erasure: erasure.id }, "a payment of an erased person could not be ended");
  }
}

type Open = RowOf<"find-open-payments">;

function findOpen({ accountId, handle }: Erasure): Promise<Open[]> {
  return sql.run(FIND_OPEN_PAYMENTS, { accountId, handle });
}

/** SQL: the ids of payment requests whose links went to direct chats with `:handle` and to no other chat. */
const SENT_ONLY_TO = `select s.payment_request_id
  from chats c join payment_request_messages s on s.account_id = c.account_id and s.chat_id = c.id
  where c.account_id = :accountId and c.id in (select p.chat_id from participants p where p.account_id = :accountId and p.handle = :handle)
    and not c.is_group and not exists (
      select from payment_request_messages o join chats oc on oc.account_id = o.account_id and oc.id = o.chat_id
      where o.account_id = :accountId and o.payment_request_id = s.payment_request_id
        and oc.recipient_handle is distinct from :handle)`;

const FIND_OPEN_PAYMENTS = plannedStatement(
  "find-open-payments",
  `select id, true as is_agents from agent_payments
  where account_id = :accountId and handle = :handle and ended_at is null and status <> 'authorized'
  union all
  select r.id, false from payment_requests r
  where r.account_id = :accountId and r.status = 'requested' and (r.payer_handle = :handle or r.id in (${SENT_ONLY_TO}))`,
);

const REDACT_AGENT_PAYMENTS = plannedStatement(
  "redact-agent-payments",
  `update agent_payments set description = null, metadata = '{}', idempotency_key = null, open_key = null
  where account_id = :accountId and id = any(:payments::uuid[])`,
);

const REDACT_PAYMENT_REQUESTS = plannedStatement(
  "redact-payment-requests",
  `update payment_requests set ${EMPTIED_IN_PAYMENT_REQUESTS.map((column) => `${column} = null`).join(", ")},
    customer_id = case when status = 'requested' then customer_id end
  where account_id = :accountId and id = any(:requests::uuid[])`,
);

const REDACT_SANDBOX_ORDERS = plannedStatement(
  "redact-sandbox-orders",
  `update sandbox_orders set metadata = '{}', customer_id = null
  where account_id = :accountId and key = any(:requests::text[])`,
);

/** Empties the payments of the person, except what accounting needs. */
export const redactPayments: Step = {
  name: "redact-payments",
  async run(tx, erasure) {
    const { requests, payments } = await findPayments(tx, erasure);
    await tx.run(REDACT_AGENT_PAYMENTS, { accountId: erasure.accountId, payments });
    await tx.run(REDACT_PAYMENT_REQUESTS, { accountId: erasure.accountId, requests });
    await tx.run(REDACT_SANDBOX_ORDERS, { accountId: erasure.accountId, requests });
    const counts = { agent_payments: payments.length, payment_requests: requests.length };
    return { counts, cursor: null };
  },
};

const FIND_PAYMENTS_OF_PERSON = plannedStatement(
  "find-payments-of-person",
  `select id, true as is_agents from agent_payments where account_id = :accountId and handle = :handle
  union all
  select r.id, false from payment_requests r where r.account_id = :accountId and r.payer_handle = :handle
  union
  select payment_request_id, false from (${SENT_ONLY_TO}) sent`,
);

/** The payments of a person whose chats were closed. */
async function findPayments(
  tx: Sql,
  { accountId, id }: Erasure,
): Promise<{ requests: string[]; payments: string[] }> {
  const rows = await tx.run(FIND_PAYMENTS_OF_PERSON, { accountId, handle: erasedHandle(id) });
  const idsOf = (isAgents: boolean) => rows.flatMap((row) => (row.is_agents === isAgents ? [row.id] : []));
  return { requests: idsOf(false), payments: idsOf(true) };
}

const FIND_ERASED_FILES = plannedStatement(
  "find-erased-files",
  "select file_ids from person_erasures where account_id = :accountId and id = :erasureId",
);

/** The ids of payments and deleted files of the person, by which logs may refer to the person without the handle. */
export async function findSubjects(tx: Sql, erasure: Erasure): Promise<string[]> {
  const { requests, payments } = await findPayments(tx, erasure);
  const [row] = await tx.run(FIND_ERASED_FILES, { accountId: erasure.accountId, erasureId: erasure.id });
  return [...requests, ...payments, ...(row?.file_ids ?? [])];
}
