import { receiveCardWebhook } from "@/lib/agent-payments/receive-card-webhook";
import { plainRoute } from "@/lib/http/plain-route";

/** Stripe Issuing's webhooks: of charges to approve, and of all else. */
export const POST = plainRoute(async (request) => {
  const { body, headers } = await receiveCardWebhook("stripe_issuing", request.headers, await request.text());
  return Response.json(body, { headers });
});
