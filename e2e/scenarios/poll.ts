import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A poll",
  promise:
    "A contact votes in a poll and takes the vote back. Both are webhooks, and the poll counts the voters.",
  async run(sim) {
    const ada = sim.phone();
    const { chat_id } = await ada.says("When do we meet?");
    const { message_id, poll } = await sim.api.call("POST /v3/chats/{chatId}/polls", {
      path: { chatId: chat_id ?? "" },
      body: { poll: { options: [{ text: "Friday" }, { text: "Saturday" }] } },
    });
    await sim.webhook("poll.delivered", { body: message_id });
    const friday = poll.options[0]?.option_id ?? "";

    await ada.votes(message_id, friday);
    await sim.webhook("poll.vote.added", { body: friday });
    const counted = () =>
      sim.api.call("GET /v3/messages/{messageId}/poll", { path: { messageId: message_id } });
    assert.equal((await counted()).poll.total_voters, 1);

    await ada.votes(message_id, friday, "remove");
    await sim.webhook("poll.vote.removed", { body: friday });
    assert.equal((await counted()).poll.total_voters, 0);
  },
});
