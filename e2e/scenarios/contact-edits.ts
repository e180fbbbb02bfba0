import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A contact edits a message",
  promise: "An edit on the phone arrives as message.edited, and the API returns the new text.",
  async run(sim) {
    const ada = sim.phone();
    const { message_id } = await ada.says("See you at seven");
    await ada.edits(message_id ?? "", "See you at eight");
    await sim.webhook("message.edited", { body: /eight/ });
    const message = await sim.api.call("GET /v3/messages/{messageId}", {
      path: { messageId: message_id ?? "" },
    });
    assert.match(JSON.stringify(message.parts), /eight/);
  },
});
