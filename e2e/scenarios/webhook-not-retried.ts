import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A webhook that is not retried",
  promise: "A webhook that gets 404 is not attempted again, and the missed event can be read from the API.",
  async run(sim) {
    sim.webhooks.respondWith(({ type }) => (type === "message.received" ? 404 : 200));
    const ada = sim.phone();
    const { chat_id } = await ada.says("Did you get this?");
    const missed = await sim.webhooks.nextAttempt("message.received");
    sim.webhooks.respondWith(200);
    await sim.clock.advance("1h");
    await ada.says("Hello?");
    const next = await sim.webhook("message.received");
    assert.notEqual(next.event_id, missed.event.event_id);

    const { messages } = await sim.api.call("GET /v3/chats/{chatId}/messages", {
      path: { chatId: chat_id ?? "" },
    });
    assert.equal(messages.length, 2);
  },
});
