import "server-only";
import { type AgentPaymentRow, PAYMENT_COLUMNS } from "@/lib/payments/agent-payments/agent-payment";
import { isIdle } from "@/lib/payments/agent-payments/find-payment";
import { readWalletLink, type WalletPage } from "@/lib/payments/agent-payments/wallet-link";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { newTraceId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

/** The payment of a wallet link, and the account it belongs to. */
export interface WalletPayment {
  ctx: Context;
  payment: AgentPaymentRow;
  /** The name of the partner that requests the payment. */
  partnerName: string;
}

const FIND_WALLET_PAYMENT = plannedStatement(
  "find-wallet-payment",
  `select x.*, a.partner_id, a.type as account_type, p.name as partner_name
  from (select ${PAYMENT_COLUMNS} from agent_payments where account_id = :accountId and id = :subjectId) x
    join accounts a on a.id = x.account_id join partners p on p.id = a.partner_id`,
);

/** Finds the payment of a wallet link. Returns null when the link is not a valid link to this page. */
export async function findWalletPayment(page: WalletPage, link: string): Promise<WalletPayment | null> {
  const subject = readWalletLink(page, link);
  if (subject === null) return null;
  const [row] = await sql.run(FIND_WALLET_PAYMENT, { accountId: subject.account_id, subjectId: subject.id });
  if (row === undefined) return null;
  const { partner_id, partner_name, account_type, ...payment } = row;
  const account = { id: payment.account_id, partnerId: partner_id, type: account_type };
  const ctx: Context = { account, actor: { type: "system" }, traceId: newTraceId(), now: now() };
  return { ctx, payment, partnerName: partner_name };
}

/** Whether the payment waits for this action of its customer. */
export function isAwaiting({ ctx, payment }: WalletPayment, page: WalletPage): boolean {
  return payment.status === "awaiting_user_action" && payment.awaits === page && !isIdle(payment, ctx.now);
}

/** As `findWalletPayment`, for requests that change something. Errors: name_unknown, state_conflict. */
export async function requireWalletPayment(page: WalletPage, link: string): Promise<WalletPayment> {
  const found = await findWalletPayment(page, link);
  if (found === null) fail("name_unknown", "this link is not valid: ask for a new one");
  if (!isAwaiting(found, page)) fail("state_conflict", "this payment needs no further action");
  return found;
}
