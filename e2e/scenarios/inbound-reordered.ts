import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A contact's messages change places",
  promise:
    "A message that the network holds back arrives as its own webhook, after the message that was sent later.",
  async run(sim) {
    const ada = sim.phone();
    await ada.says("Hi");
    await sim.webhook("message.received", { body: "Hi" });
    await sim.faults.add({
      match: { handle: ada.handle, direction: "inbound" },
      effect: { type: "reorder", delay_ms: 60_000 },
      when: { nth: 1 },
    });
    assert.equal((await ada.says("A table for two")).message_id, null);
    await ada.says("No, for three");
    const first = await sim.webhook("message.received");
    const { ran } = await sim.clock.advance("2m");
    const second = await sim.webhook("message.received");
    assert.match(JSON.stringify(first.data.parts), /for three/);
    assert.match(JSON.stringify(second.data.parts), /for two/);
    assert.ok(ran.some(({ type }) => type === "delayed_message"));
  },
});
