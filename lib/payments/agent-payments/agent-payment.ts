import "server-only";
import { z } from "zod";
import { PAYMENT_STATUSES } from "@/lib/payments/agent-payments/payment-state";
import { walletUrl } from "@/lib/payments/agent-payments/wallet-link";
import type { Context } from "@/lib/platform/context";
import type { AgentPaymentStatus } from "@/lib/platform/prisma/enums";
import { hasRight } from "@/lib/platform/role-rights";

/** An agent payment (partner-api.md, Payment). */
export const Payment = z
  .object({
    /** Once its card is made. */
    id: z.string().optional(),
    amount_cents: z.int().optional(),
    currency: z.string().optional(),
    description: z.string().optional(),
    handle: z.string().optional(),
    status: z.enum(PAYMENT_STATUSES).optional(),
    /** Where the customer approves with a passkey. */
    approval_url: z.url().optional(),
    /** Where the customer puts a card and a passkey into the wallet. */
    attach_url: z.url().optional(),
  })
  .meta({ id: "Payment" });

export type Payment = z.infer<typeof Payment>;

export interface AgentPaymentRow {
  account_id: string;
  id: string;
  handle: string;
  amount_cents: number;
  currency: string;
  description: string | null;
  merchant_name: string | null;
  merchant_url: string | null;
  metadata: Record<string, string>;
  provider: string;
  status: AgentPaymentStatus;
  awaits: "attach" | "approve" | null;
  approved_at: Date | null;
  card_ref: string | null;
  charge_ref: string | null;
  moved_at: Date;
  ended_at: Date | null;
  trace_id: string;
  created_at: Date;
}

export const PAYMENT_COLUMNS = `account_id, id, handle, amount_cents, currency, description, merchant_name,
  merchant_url, metadata, provider, status::text as status, awaits, approved_at, card_ref, charge_ref, moved_at, ended_at,
  trace_id, created_at`;

/**
 * The one serializer of agent payments: of answers, events (`reader` = null) and the dashboard. Links into the customer's
 * wallet are for API tokens and for people who manage payments, and in no event.
 */
export function toPayment(row: AgentPaymentRow, reader: Context | null): Payment {
  const mayOpen = reader !== null && hasRight(reader, "manage_payments");
  const awaits = row.status === "awaiting_user_action" && mayOpen ? row.awaits : null;
  return {
    ...(row.card_ref !== null && { id: row.id }),
    amount_cents: row.amount_cents,
    currency: row.currency,
    ...(row.description !== null && { description: row.description }),
    handle: row.handle,
    status: row.status,
    ...(awaits === "approve" && { approval_url: walletUrl("approve", row) }),
    ...(awaits === "attach" && { attach_url: walletUrl("attach", row) }),
  };
}
