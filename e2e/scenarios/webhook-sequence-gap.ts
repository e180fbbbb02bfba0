import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A gap in the sequence",
  promise:
    "A paused subscription misses events. The sequence of the next webhook shows the gap, and the events can be read.",
  async run(sim) {
    const ada = sim.phone();
    await ada.says("One");
    const before = await sim.webhook("message.received", { body: "One" });
    const setActive = (is_active: boolean) =>
      sim.api.call("PUT /v3/webhook-subscriptions/{subscriptionId}", {
        path: { subscriptionId: sim.webhooks.subscriptionId },
        body: { is_active },
      });
    await setActive(false);
    await ada.says("Two");
    await setActive(true);
    await ada.says("Three");
    const after = await sim.webhook("message.received", { body: "Three" });
    assert.ok((after.sequence ?? 0) - (before.sequence ?? 0) > 1);

    const { events } = await sim.api.call("GET /simulator/events", {
      query: { type: "message.received", after: before.event_id },
    });
    assert.deepEqual(
      events.map(({ data }) => /Two|Three/.exec(JSON.stringify(data))?.[0]),
      ["Two", "Three"],
    );
  },
});
