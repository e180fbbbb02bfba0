import { checkoutEndpoint } from "@/lib/http/checkout-route";
import { noteAttempt } from "@/lib/payment-requests/attempt-payment";
import { openCheckout } from "@/lib/payment-requests/open-checkout";

/** What the processor's own field needs; `attempt` in the form says that the payer is paying. */
export const POST = checkoutEndpoint(async ({ checkout, form }) => {
  if (form.has("attempt")) await noteAttempt(checkout.row);
  return { field: form.has("attempt") ? null : await openCheckout(checkout.row) };
});
