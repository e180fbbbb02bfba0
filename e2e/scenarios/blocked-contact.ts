import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A blocked contact",
  promise:
    "Messages from a blocked number are dropped, and messages to it fail with 2026, until it is unblocked.",
  async run(sim) {
    const ada = sim.phone();
    await ada.says("Hi");
    await sim.api.call("POST /v3/blocked_handles", { body: { handle: ada.handle } });
    assert.equal((await ada.says("Dropped", { to: sim.line })).message_id, null);
    await assert.rejects(sim.send({ to: ada, text: "Hello" }), { status: 403, code: 2026 });

    await sim.api.call("DELETE /v3/blocked_handles", { body: { handle: ada.handle } });
    assert.notEqual((await ada.says("Stored", { to: sim.line })).message_id, null);
  },
});
