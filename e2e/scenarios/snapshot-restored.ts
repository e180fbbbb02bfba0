import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A snapshot is restored",
  promise:
    "A restored snapshot has the chats, messages and events of its moment, and webhook sequences go on.",
  async run(sim) {
    const ada = sim.phone();
    await ada.says("A table for two, please");
    const { id: chatId } = await sim.send({ to: ada, text: "At what time?" });
    await ada.receives("At what time?");
    const first = await sim.webhook("message.delivered");
    await sim.clock.runUntilIdle();
    const asked = await sim.snapshot("asked");
    const read = async () => {
      const { messages } = await sim.api.call("GET /v3/chats/{chatId}/messages", { path: { chatId } });
      return messages.map(({ id }) => id);
    };
    const before = await read();

    for (const time of ["At seven", "At eight"]) {
      await ada.says(time);
      await sim.send({ to: ada, text: `${time} it is` });
      await ada.receives(`${time} it is`);
      const later = await sim.webhook("message.delivered");
      assert.ok(Number(later.sequence) > Number(first.sequence));
      assert.equal((await read()).length, before.length + 2);
      await sim.restore(asked);
      assert.deepEqual(await read(), before);
    }
  },
});
