import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "Tapbacks in both directions",
  promise: "A tapback of the phone is a webhook, and a tapback of the line is on the phone.",
  async run(sim) {
    const ada = sim.phone();
    const { message_id } = await ada.says("Thank you!");
    const { message } = await sim.send({ to: ada, text: "You're welcome" });
    await ada.receives("welcome");

    await ada.reacts(message.id, "love");
    await sim.webhook("reaction.added", { body: message.id });
    await ada.reacts(message.id, { type: "love", operation: "remove" });
    await sim.webhook("reaction.removed", { body: message.id });

    await sim.api.call("POST /v3/messages/{messageId}/reactions", {
      path: { messageId: message_id ?? "" },
      body: { operation: "add", type: "laugh" },
    });
    const received = await sim.webhook("reaction.added", { body: message_id ?? "" });
    assert.equal(received.data.is_from_me, true);
  },
});
