import "server-only";
import { z } from "zod";
import { PAYMENT_STATUSES } from "@/lib/payments/agent-payments/advance/payment-state";
import { walletUrl } from "@/lib/payments/agent-payments/wallet-link";
import type { Context } from "@/lib/platform/context";
import type { RowOf } from "@/lib/platform/database/statement";
import { hasRight } from "@/lib/platform/rights/role-rights";

/** An agent payment (docs/contract.md, section 14.1). */
export const Payment = z
  .object({
    id: z.string().optional().describe("ID of the payment. Absent until the card is created."),
    amount_cents: z.int().optional().describe("Amount in minor units of the currency."),
    currency: z.string().optional().describe("ISO 4217 currency code in lower case."),
    description: z.string().optional().describe("Purpose of the payment."),
    handle: z.string().optional().describe("Phone number or email address of the customer."),
    status: z
      .enum(PAYMENT_STATUSES)
      .optional()
      .describe("Status of the payment. A `ready` payment has a card: get its credentials."),
    approval_url: z
      .url()
      .optional()
      .describe(
        "URL of the page where the customer approves the payment with a passkey. Present while the payment needs approval.",
      ),
    attach_url: z
      .url()
      .optional()
      .describe(
        "URL of the page where the customer adds a card and a passkey to the wallet. Present while the payment needs a card.",
      ),
  })
  .meta({
    id: "Payment",
    description: "A payment that an agent makes with a virtual card on behalf of a customer.",
    examples: [
      {
        id: "019ca9c2-4c09-7dc0-8299-c5f617283940",
        amount_cents: 4200,
        currency: "usd",
        description: "Dinner for two",
        handle: "+12025550123",
        status: "ready",
      },
    ],
  });

export type Payment = z.infer<typeof Payment>;

export type AgentPaymentRow = RowOf<"reread-agent-payment">;

export const PAYMENT_COLUMNS = `account_id, id, handle, amount_minor, currency, description, merchant_name,
  merchant_url, metadata, provider, status, awaits, approved_at, card_ref, charge_ref, moved_at, ended_at,
  trace_id, created_at`;

/**
 * The only serializer of agent payments: for responses, events (`reader` = null) and the dashboard. Only API tokens and
 * people who manage payments see the links to the customer's wallet. Events never contain them.
 */
export function toPayment(row: AgentPaymentRow, reader: Context | null): Payment {
  const mayOpen = reader !== null && hasRight(reader, "manage_payments");
  const awaits = row.status === "awaiting_user_action" && mayOpen ? row.awaits : null;
  return {
    ...(row.card_ref !== null && { id: row.id }),
    amount_cents: row.amount_minor,
    currency: row.currency,
    ...(row.description !== null && { description: row.description }),
    handle: row.handle,
    status: row.status,
    ...(awaits === "approve" && { approval_url: walletUrl("approve", row) }),
    ...(awaits === "attach" && { attach_url: walletUrl("attach", row) }),
  };
}
