import { payWithTestCard } from "@/lib/payments/requests/attempt-payment";
import { checkoutPage, toCheckout } from "@/lib/runtime/customer-pages/checkout-route";

/** Pays with the test card selected in the page's form. */
export const POST = checkoutPage(async (call) => {
  const attempt = await payWithTestCard(call.checkout.row, call.form.get("card") ?? "");
  if (attempt === "needs_step") return toCheckout(call, {}, "/step");
  return toCheckout(call, attempt === "declined" ? { declined: "1" } : {});
});
