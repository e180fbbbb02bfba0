import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A payment is abandoned",
  promise:
    "A request that is not paid expires after 24 hours, with a webhook. Its link takes no payment any more.",
  async run(sim) {
    const ada = sim.phone();
    const request = await sim.api.call("POST /v3/payment_requests", {
      body: { amount: 4200, currency: "usd", description: "Dinner for two" },
    });
    await sim.clock.advance("25h");
    const { data } = await sim.webhook("payment.expired", { body: request.id });
    assert.equal(data.status, "expired");
    await ada.pays(request.checkout_url);
    const after = await sim.api.call("GET /v3/payment_requests/{paymentRequestId}", {
      path: { paymentRequestId: request.id },
    });
    assert.equal(after.status, "expired");
  },
});
