import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A magic handle's card is declined",
  promise:
    "The magic handle +15005550113 pays with a card that is declined, and its request stays open until it expires.",
  async run(sim) {
    const request = await sim.api.call("POST /v3/payment_requests", {
      body: { amount: 4200, currency: "usd", description: "Dinner for two" },
    });
    const { message } = await sim.send({
      to: "+15005550113",
      message: { parts: [{ type: "link", value: request.checkout_url }] },
    });
    await sim.webhook("message.read", { body: message.id });
    await sim.clock.runUntilIdle();
    const after = await sim.api.call("GET /v3/payment_requests/{paymentRequestId}", {
      path: { paymentRequestId: request.id },
    });
    assert.equal(after.status, "requested");
    await sim.clock.advance("25h");
    await sim.webhook("payment.expired", { body: request.id });
  },
});
