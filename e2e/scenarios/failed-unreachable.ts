import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "Failed: 4001",
  promise: "A message to a phone that can't be reached fails with 4001, in the webhook and in the API.",
  async run(sim) {
    const ada = await sim.phone().is({ fault: "unreachable" });
    await ada.says("Hi");
    const { message } = await sim.send({ to: ada, text: "Are you there?" });
    const failed = await sim.webhook("message.failed", { body: message.id });
    assert.equal(failed.data.code, 4001);
    const stored = await sim.api.call("GET /v3/messages/{messageId}", { path: { messageId: message.id } });
    assert.equal(stored.delivery_status, "failed");
  },
});
