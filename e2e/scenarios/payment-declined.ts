import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A card is declined",
  promise: "A declined card leaves the request open, and another card pays it.",
  async run(sim) {
    const ada = sim.phone();
    const request = await sim.api.call("POST /v3/payment_requests", {
      body: { amount: 4200, currency: "usd", description: "Dinner for two" },
    });
    const read = () =>
      sim.api.call("GET /v3/payment_requests/{paymentRequestId}", { path: { paymentRequestId: request.id } });
    assert.equal(await ada.pays(request.checkout_url, { card: "declined" }), "declined");
    assert.equal((await read()).status, "requested");

    assert.equal(await ada.pays(request.checkout_url), "accepted");
    await sim.webhook("payment.succeeded", { body: request.id });
    assert.equal((await read()).status, "succeeded");
  },
});
