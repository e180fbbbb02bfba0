import { renderStep } from "@/lib/payments/checkout/render-notice";
import { attemptPayment } from "@/lib/payments/requests/attempt-payment";
import { checkoutPage, pageResponse, toCheckout } from "@/lib/runtime/customer-pages/checkout-route";

/** The second step of a test card: a page of Trunkline that simulates the bank's page. */
export const GET = checkoutPage(async (call) => {
  const { checkout, visit } = call;
  if (checkout.state !== "open") return toCheckout(call);
  return pageResponse(renderStep(checkout, visit), { visit, branding: checkout.branding });
});

export const POST = checkoutPage(async (call) => {
  const attempt = await attemptPayment(call.checkout.row, { agreed: call.form.get("agreed") === "yes" });
  return toCheckout(call, attempt === "declined" ? { declined: "1" } : {});
});
