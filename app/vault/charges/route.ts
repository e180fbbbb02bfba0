import { ChargeTestCard, chargeTestCard } from "@/lib/payments/agent-payments/charge-test-card";
import { fail } from "@/lib/platform/errors/errors";
import { readBody } from "@/lib/platform/http/read-body";
import { plainRoute } from "@/lib/runtime/http/plain-route";

/** The sandbox's test merchant. Not in the request log, because its requests hold a card's number. */
export const POST = plainRoute(async (request, _, limit) => {
  const text = await readBody(request, limit);
  const charge = ChargeTestCard.safeParse(parse(text));
  if (!charge.success) {
    fail("body_invalid", "send a JSON body with number, cvc, amount_cents, currency and optionally capture");
  }
  return Response.json(await chargeTestCard(charge.data), { headers: { "cache-control": "no-store" } });
});

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
