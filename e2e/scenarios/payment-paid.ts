import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A payment is paid",
  promise:
    "A contact opens the checkout link and pays. The webhook names the request, the amount and the metadata.",
  async run(sim) {
    const ada = sim.phone();
    await ada.says("I'd like to pay");
    const request = await sim.api.call("POST /v3/payment_requests", {
      body: { amount: 4200, currency: "usd", description: "Dinner for two", metadata: { order: "1042" } },
    });
    await sim.send({ to: ada, message: { parts: [{ type: "link", value: request.checkout_url }] } });
    await ada.receives();
    assert.equal(await ada.pays(request.checkout_url), "accepted");

    const { data } = await sim.webhook("payment.succeeded", { body: request.id });
    assert.deepEqual([data.amount, data.metadata], [4200, { order: "1042" }]);
  },
});
