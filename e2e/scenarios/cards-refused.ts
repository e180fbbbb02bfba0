import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "Cards refused: 4005",
  promise: "A phone that supports only text refuses a message with 4005.",
  async run(sim) {
    const ada = await sim.phone().is({ fault: "unsupported" });
    await ada.says("Hi");
    const { message } = await sim.send({ to: ada, text: "Hello" });
    const failed = await sim.webhook("message.failed", { body: message.id });
    assert.equal(failed.data.code, 4005);
  },
});
