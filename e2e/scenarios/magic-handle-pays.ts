import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A magic handle pays",
  promise:
    "The magic handle +15005550112 pays the checkout link of a message that it receives, without further calls.",
  async run(sim) {
    const request = await sim.api.call("POST /v3/payment_requests", {
      body: { amount: 4200, currency: "usd", description: "Dinner for two" },
    });
    await sim.send({
      to: "+15005550112",
      message: { parts: [{ type: "link", value: request.checkout_url }] },
    });
    const { data } = await sim.webhook("payment.succeeded", { body: request.id });
    assert.deepEqual([data.amount, data.status], [4200, "succeeded"]);
  },
});
