import "server-only";
import { ListAgentPayments, listAgentPayments } from "@/lib/payments/agent-payments/list-agent-payments";
import { exportOf } from "@/lib/platform/export-of";

/** Agent payments as CSV, without the customer's links, because anyone with a link can act on the payment. */
export const exportAgentPayments = exportOf(ListAgentPayments, listAgentPayments, {
  summary: "Export agent payments as CSV",
  filename: "agent-payments.csv",
  pageRows: 500,
  itemsOf: (page) => page.payments,
  columns: {
    payment_id: ({ internal_id }) => internal_id,
    status: ({ status }) => status,
    waits_for: ({ waits_for }) => waits_for,
    amount_cents: ({ amount_cents }) => amount_cents,
    currency: ({ currency }) => currency,
    amount_text: ({ amount_text }) => amount_text,
    description: ({ description }) => description,
    handle: ({ handle }) => handle,
    merchant_name: ({ merchant }) => merchant.name,
    merchant_url: ({ merchant }) => merchant.url,
    provider: ({ provider }) => provider,
    card: ({ card }) => card,
    created_at: ({ created_at }) => created_at,
    approved_at: ({ approved_at }) => approved_at,
    moved_at: ({ moved_at }) => moved_at,
    ended_at: ({ ended_at }) => ended_at,
    metadata: ({ metadata }) => (Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata)),
  },
});
