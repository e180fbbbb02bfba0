import { PROCESSOR_LIMIT_BYTES } from "@/lib/payments/processors/processor-limit";
import {
  receiveProcessorWebhook,
  requireProcessorWebhooks,
} from "@/lib/payments/requests/receive-processor-webhook";
import { readBody } from "@/lib/platform/http/read-body";
import { plainRoute } from "@/lib/runtime/http/plain-route";

/** Receives Stripe's webhooks for all connected accounts. */
export const POST = plainRoute(async (request, _, limit) => {
  requireProcessorWebhooks("stripe");
  const text = await readBody(request, limit);
  await receiveProcessorWebhook("stripe", request.headers, text);
  return Response.json({ received: true });
}, PROCESSOR_LIMIT_BYTES);
