import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "Outcome unknown: 4006",
  promise:
    "A send whose response was lost fails with 4006, and message.delivered corrects it: do not send again before.",
  async run(sim) {
    const ada = await sim.phone().is({ fault: "lost_answer" });
    await ada.says("Hi");
    const { message } = await sim.send({ to: ada, text: "Your table is ready" });
    const failed = await sim.webhook("message.failed", { body: message.id });
    assert.equal(failed.data.code, 4006);
    await sim.webhook("message.delivered", { body: message.id });
    await ada.receives("table is ready");
    assert.equal((await ada.received()).length, 1);
  },
});
