import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A contact unsends a message",
  promise:
    "An unsent message disappears from the phone. Networks do not report this: the API keeps the message.",
  async run(sim) {
    const ada = sim.phone();
    const { message_id: messageId } = await ada.says("Table for three");
    await sim.webhook("message.received");
    assert.ok(messageId);
    await ada.unsends(messageId);

    const { messages } = await sim.api.call("GET /simulator/phones/{handle}/messages", {
      path: { handle: ada.handle },
    });
    assert.deepEqual(messages[0]?.parts, []);
    assert.ok(messages[0]?.unsent_at);
    const message = await sim.api.call("GET /v3/messages/{messageId}", { path: { messageId } });
    assert.equal(message.parts?.[0]?.type, "text");
    await assert.rejects(ada.unsends(messageId), { status: 409 });
  },
});
