import "server-only";
import {
  SearchPaymentRequests,
  searchPaymentRequests,
} from "@/lib/payments/requests/search-payment-requests";
import { exportOf } from "@/lib/platform/export-of";

/** Payment requests as CSV, without the checkout link, because anyone with the link can pay. */
export const exportPaymentRequests = exportOf(SearchPaymentRequests, searchPaymentRequests, {
  summary: "Export the payment requests of the account as CSV",
  filename: "payment-requests.csv",
  pageRows: 500,
  itemsOf: (page) => page.payment_requests,
  columns: {
    payment_request_id: ({ id }) => id,
    status: ({ status }) => status,
    mode: ({ mode }) => mode,
    amount: ({ amount }) => amount,
    currency: ({ currency }) => currency,
    amount_text: ({ amount_text }) => amount_text,
    description: ({ description }) => description,
    handle: ({ sent_to }) => sent_to[0]?.handle,
    chat_id: ({ sent_to }) => sent_to[0]?.chat_id,
    customer_id: ({ primary }) => primary?.customer_id,
    payment_intent_id: ({ primary }) => primary?.payment_intent_id,
    subscription_id: ({ primary }) => primary?.subscription_id,
    processor: ({ processor }) => processor,
    created_at: ({ created_at }) => created_at,
    expires_at: ({ expires_at }) => expires_at,
    paid_at: ({ paid_at }) => paid_at,
    metadata: ({ metadata }) => metadata && JSON.stringify(metadata),
  },
});
