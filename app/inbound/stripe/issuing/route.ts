import { receiveCardWebhook, requireCardWebhooks } from "@/lib/payments/agent-payments/receive-card-webhook";
import { BODY_LIMIT_BYTES } from "@/lib/platform/contract";
import { readBody } from "@/lib/platform/read-body";
import { plainRoute } from "@/lib/runtime/http/plain-route";

/** Receives Stripe Issuing's webhooks: charges to approve and all other events. */
export const POST = plainRoute(async (request) => {
  requireCardWebhooks("stripe_issuing");
  const text = await readBody(request, { limitBytes: BODY_LIMIT_BYTES });
  const { body, headers } = await receiveCardWebhook("stripe_issuing", request.headers, text);
  return Response.json(body, { headers });
});
