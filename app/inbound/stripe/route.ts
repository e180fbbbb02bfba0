import {
  receiveProcessorWebhook,
  requireProcessorWebhooks,
} from "@/lib/payments/requests/receive-processor-webhook";
import { BODY_LIMIT_BYTES } from "@/lib/platform/contract";
import { readBody } from "@/lib/platform/read-body";
import { plainRoute } from "@/lib/runtime/http/plain-route";

/** Receives Stripe's webhooks for all connected accounts. */
export const POST = plainRoute(async (request) => {
  requireProcessorWebhooks("stripe");
  const text = await readBody(request, { limitBytes: BODY_LIMIT_BYTES });
  await receiveProcessorWebhook("stripe", request.headers, text);
  return Response.json({ received: true });
});
