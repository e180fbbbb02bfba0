import "server-only";
import type { CardProvider } from "@/lib/adapters/card-providers/card-provider";
import type { PaymentProgress } from "@/lib/payments/agent-payments/advance/payment-step";
import type { AgentPaymentRow } from "@/lib/payments/agent-payments/agent-payment";
import { callProvider } from "@/lib/payments/card-providers/call-provider";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const FIND_PAYMENT_PROGRESS = statement(
  "find-payment-progress",
  `select c.status, c.code_expires_at, coalesce(c.code_tries, 0) as code_tries, c.approved_at,
    exists (select 1 from passkeys k where k.account_id = :accountId and k.handle = :handle) as has_passkey
  from (select 1) one
  left join handle_connections c on c.account_id = :accountId and c.provider = :providerName and c.handle = :handle`,
);

/** Returns the status of a payment's customer. Errors: as `callProvider`. */
export async function findPaymentStatus(
  provider: CardProvider,
  payment: AgentPaymentRow,
): Promise<PaymentProgress> {
  const customer = { accountId: payment.account_id, handle: payment.handle };
  const [[row], hasCard] = await Promise.all([
    sql.run(FIND_PAYMENT_PROGRESS, {
      accountId: payment.account_id,
      providerName: provider.name,
      handle: payment.handle,
    }),
    callProvider(() => provider.hasCard(customer)),
  ]);
  const connection =
    row === undefined || row.status === null
      ? null
      : {
          status: row.status,
          codeExpiresAt: row.code_expires_at,
          codeTries: row.code_tries,
          wasApproved: row.approved_at !== null,
        };
  return { connection, hasCard, hasPasskey: row?.has_passkey ?? false };
}
