import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "Reply in a thread",
  promise: "A reply on the phone names the message that it replies to, and both are in one thread.",
  async run(sim) {
    const ada = sim.phone();
    await ada.says("Which day?");
    const { message } = await sim.send({ to: ada, text: "Friday or Saturday?" });
    await ada.receives("Friday");

    await ada.says({ text: "Friday", reply_to: { message_id: message.id } });
    const { data } = await sim.webhook("message.received", { body: '"Friday"' });
    assert.equal(data.reply_to?.message_id, message.id);
    const thread = await sim.api.call("GET /v3/messages/{messageId}/thread", {
      path: { messageId: message.id },
    });
    assert.equal(thread.messages.length, 2);
  },
});
