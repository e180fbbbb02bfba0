import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A rate limit and its end",
  promise: "The 31st message within a minute to one contact fails with 1007, and works a minute later.",
  async run(sim) {
    const ada = sim.phone();
    await ada.says("Hi");
    for (let count = 1; count <= 30; count++) await sim.send({ to: ada, text: `Message ${count}` });
    await assert.rejects(sim.send({ to: ada, text: "One too many" }), { status: 429, code: 1007 });

    await sim.clock.advance("61s");
    await sim.send({ to: ada, text: "A minute later" });
    await ada.receives("A minute later", { timeoutMs: 10_000 });
  },
});
