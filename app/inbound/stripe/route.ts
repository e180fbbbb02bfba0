import { plainRoute } from "@/lib/http/plain-route";
import { receiveProcessorWebhook } from "@/lib/payment-requests/receive-processor-webhook";

/** Stripe's webhooks, of all connected accounts. */
export const POST = plainRoute(async (request) => {
  await receiveProcessorWebhook("stripe", request.headers, await request.text());
  return Response.json({ received: true });
});
