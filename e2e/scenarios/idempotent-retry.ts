import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A retried send",
  promise:
    "A send that is repeated with its idempotency key returns the same message, and the phone receives one.",
  async run(sim) {
    const ada = sim.phone();
    const { chat_id } = await ada.says("Hi");
    const send = () =>
      sim.api.call("POST /v3/chats/{chatId}/messages", {
        path: { chatId: chat_id ?? "" },
        body: {
          message: { parts: [{ type: "text", value: "Your table is ready" }], idempotency_key: "order-1042" },
        },
      });
    const [first, again] = await Promise.all([send(), send()]);
    assert.equal(again.message.id, first.message.id);
    await sim.webhook("message.delivered", { body: first.message.id });
    assert.equal((await ada.received()).length, 1);
  },
});
