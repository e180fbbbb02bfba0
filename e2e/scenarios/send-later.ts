import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

const HOUR_MS = 3_600_000;

export default scenario({
  title: "Send later",
  promise:
    "A message with `send_at` waits. It can be moved and canceled, and after a STOP it is refused when it is due.",
  async run(sim) {
    const ada = sim.phone();
    const { chat_id: chatId } = await ada.says("Hi");
    assert.ok(chatId);
    const start = (await sim.clock.now()).getTime();
    const inHours = (hours: number) => new Date(start + hours * HOUR_MS).toISOString();
    const schedule = async (text: string, hours: number) => {
      const { message } = await sim.api.call("POST /v3/chats/{chatId}/messages", {
        path: { chatId },
        body: { message: { parts: [{ type: "text", value: text }] }, send_at: inHours(hours) },
      });
      assert.ok(message.send_at);
      return message.id;
    };

    const moved = await schedule("See you at eight", 1);
    const canceled = await schedule("Never mind", 1);
    const refused = await schedule("How was it?", 5);
    await sim.api.call("PATCH /v3/scheduled_messages/{messageId}", {
      path: { messageId: moved },
      body: { send_at: inHours(2) },
    });
    await sim.api.call("DELETE /v3/scheduled_messages/{messageId}", { path: { messageId: canceled } });

    await sim.clock.advance("2h");
    await ada.receives("See you at eight");
    await sim.webhook("message.delivered");

    await ada.says("STOP");
    await sim.clock.advance("4h");
    const failed = await sim.webhook("message.failed", { body: refused });
    assert.equal(failed.data.code, 2024);
    const { scheduled_messages: waiting } = await sim.api.call("GET /v3/scheduled_messages", {
      query: { chat_id: chatId },
    });
    assert.deepEqual(waiting, []);
  },
});
