import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A group of three",
  promise: "A message to a group reaches every phone, and so does the reply of one of them.",
  async run(sim) {
    const [ada, grace] = [sim.phone(), sim.phone()];
    await ada.says("Hi");
    await grace.says("Hi");
    const group = await sim.send({ to: [ada, grace], text: "Dinner for three at seven?" });
    assert.equal(group.is_group, true);
    await ada.receives("for three");
    await grace.receives("for three");

    await grace.says("Gladly", { to: group.id });
    const { data } = await sim.webhook("message.received", { body: /Gladly/ });
    assert.deepEqual([data.chat.id, data.sender_handle?.handle], [group.id, grace.handle]);
  },
});
