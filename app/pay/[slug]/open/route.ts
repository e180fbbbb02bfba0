import { payLabel } from "@/lib/payments/checkout/first-amount";
import { recordPaymentAttempt } from "@/lib/payments/requests/attempt-payment";
import { openCheckout } from "@/lib/payments/requests/open-checkout";
import { checkoutEndpoint } from "@/lib/runtime/customer-pages/checkout-route";

/**
 * Returns the data that the processor's payment field and the button need. The form field `attempt` means that the
 * payer submitted the payment.
 */
export const POST = checkoutEndpoint(async ({ checkout: { row }, form, visit }) => {
  if (form.has("attempt")) await recordPaymentAttempt(row);
  const field = form.has("attempt") ? null : await openCheckout(row);
  return { field, label: field?.kind === "stripe" ? payLabel(row, visit.language, field.amountMinor) : null };
});
