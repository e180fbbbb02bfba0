import "server-only";
import type { ActionCall, CardContent } from "@/lib/payments/experiences/card-content";
import { findCheckoutLink } from "@/lib/payments/requests/find-checkout-link";
import { fail } from "@/lib/platform/errors/errors";
import { amountText } from "@/lib/platform/text/money";

/**
 * servicepay/request_payment: a card to pay one of the account's own requests, with its description and amount. Errors:
 * parameter_invalid (no request of this account), state_conflict (the request is no longer payable).
 */
export async function requestPayment({ ctx, params }: ActionCall): Promise<CardContent> {
  const url = String(params.checkout_url);
  const request = await findCheckoutLink(ctx.account.id, url);
  if (request === null) {
    fail(
      "parameter_invalid",
      "message.experience.params.checkout_url must be the checkout_url of one of your payment requests",
    );
  }
  if (request.status !== "requested") {
    fail("state_conflict", `the payment request is ${request.status}: create another payment request`);
  }
  return {
    url,
    title: request.description ?? "Payment request",
    subtitle: null,
    aside: amountText(request.amountMinor, request.currency),
    subject: { type: "payment_request", id: request.id },
  };
}
