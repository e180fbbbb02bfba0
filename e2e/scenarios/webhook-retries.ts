import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "Webhook retries",
  promise:
    "A webhook that gets 503 is attempted again after 2, 4 and 8 seconds, with the same ID and a new signature.",
  async run(sim) {
    sim.webhooks.respondWith(({ type, attempt }) =>
      type === "message.received" && attempt <= 3 ? 503 : 200,
    );
    await sim.phone().says("Hi");
    const first = await sim.webhooks.nextAttempt("message.received");
    for (const wait of ["2s", "4s"] as const) {
      await sim.clock.advance(wait);
      assert.equal((await sim.webhooks.nextAttempt("message.received")).answered, 503);
    }
    await sim.clock.advance("8s");
    const last = await sim.webhook("message.received");
    assert.equal(last.event_id, first.event.event_id);
  },
});
