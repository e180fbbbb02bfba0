import { receiveCardWebhook, requireCardWebhooks } from "@/lib/payments/agent-payments/receive-card-webhook";
import { PROCESSOR_LIMIT_BYTES } from "@/lib/payments/processors/processor-limit";
import { readBody } from "@/lib/platform/http/read-body";
import { plainRoute } from "@/lib/runtime/http/plain-route";

/** Receives Stripe Issuing's webhooks: charges to approve and all other events. */
export const POST = plainRoute(async (request, _, limit) => {
  requireCardWebhooks("stripe_issuing");
  const text = await readBody(request, limit);
  const { body, headers } = await receiveCardWebhook("stripe_issuing", request.headers, text);
  return Response.json(body, { headers });
}, PROCESSOR_LIMIT_BYTES);
