import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A payment is canceled",
  promise: "A canceled request emits payment.canceled and can't be paid or canceled again.",
  async run(sim) {
    const request = await sim.api.call("POST /v3/payment_requests", {
      body: { amount: 4200, currency: "usd", description: "Dinner for two" },
    });
    const cancel = () =>
      sim.api.call("POST /v3/payment_requests/{paymentRequestId}/cancel", {
        path: { paymentRequestId: request.id },
      });
    assert.equal((await cancel()).status, "canceled");
    await sim.webhook("payment.canceled", { body: request.id });
    await assert.rejects(cancel(), { status: 409, code: 2015 });
    await sim.phone().pays(request.checkout_url);
    const after = await sim.api.call("GET /v3/payment_requests/{paymentRequestId}", {
      path: { paymentRequestId: request.id },
    });
    assert.equal(after.status, "canceled");
  },
});
