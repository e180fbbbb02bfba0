import "server-only";
import { PAYMENT_COLUMNS } from "@/lib/payments/agent-payments/agent-payment";
import { shownWalletUrl, type WalletPage } from "@/lib/payments/agent-payments/wallet-link";
import { type ActionCall, type CardContent, textOf } from "@/lib/payments/experiences/card-content";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { amountText } from "@/lib/platform/text/money";

const TITLES = { attach: "Add a card", approve: "Approve a payment" } as const satisfies Record<
  WalletPage,
  string
>;

const FIND_PAYMENT_AWAITING_CUSTOMER = plannedStatement(
  "find-payment-awaiting-customer",
  `select ${PAYMENT_COLUMNS} from agent_payments
  where account_id = :accountId and handle = :recipient and status = 'awaiting_user_action' and awaits = :page
  order by id desc limit 1`,
);

/**
 * servicecard/attach_card and approve_card: links to the page for the newest of the customer's payments that waits for
 * this action. Errors: state_conflict when none waits for it.
 */
export async function linkToCustomerPage(
  { ctx, params, recipient }: ActionCall,
  page: WalletPage,
): Promise<CardContent> {
  const [payment] = await sql.run(FIND_PAYMENT_AWAITING_CUSTOMER, {
    accountId: ctx.account.id,
    recipient,
    page,
  });
  if (payment === undefined) {
    fail(
      "state_conflict",
      `${recipient} has no payment in the required status: check the status that POST /v3/payments returned`,
    );
  }
  return {
    // The working URL is a secret that only the customer's phone receives. Every other reader gets this one.
    url: shownWalletUrl(page),
    title: textOf(params, "title") ?? TITLES[page],
    subtitle: textOf(params, "note") ?? payment.description ?? payment.merchant_name,
    aside: amountText(payment.amount_minor, payment.currency),
    subject: { type: "agent_payment", id: payment.id },
  };
}
