import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

const OURS =
  "Thank you for your message. We will look into it and come back to you within the next two days.";
const THEIRS = "I am out of the office until Monday and will answer all messages when I am back at my desk.";

export default scenario({
  title: "Two programs that answer each other",
  promise:
    "Sends to the chat fail with 2015 after 20 exchanges, chat.loop_detected says so, and sends work again after the chat is resumed.",
  async run(sim) {
    await sim.limits.set({ pair_messages: null, loop_exchanges: 20 });
    const events = await sim.consumer("loops", { types: ["chat.loop_detected"] });
    const ada = sim.phone();
    await ada.says("Hi");

    let exchanges = 0;
    const answerEachOther = async () => {
      for (; exchanges < 60; exchanges++) {
        await sim.send({ to: ada, text: OURS });
        await ada.says(THEIRS);
      }
    };
    await assert.rejects(answerEachOther, { status: 409, code: 2015 });
    assert.ok(exchanges >= 20);
    const { data } = await events.next("chat.loop_detected");
    assert.ok(data.exchanges >= 20);

    await sim.limits.reset();
    await sim.send({ to: ada, text: "A person looked at this chat" });
    await ada.receives("A person looked");
  },
});
