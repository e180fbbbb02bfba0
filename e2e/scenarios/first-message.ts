import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "First message",
  promise: "A contact writes first. The answer reaches the phone, and each step is a verified webhook.",
  async run(sim) {
    const ada = sim.phone();
    await ada.says("Is a table free tonight?");
    await sim.webhook("message.received", { body: /table free/ });

    const { message } = await sim.send({ to: ada, text: "Yes, at seven." });
    assert.equal(message.delivery_status, "pending");
    await ada.receives("at seven");
    await sim.webhook("message.sent", { body: message.id });
    await sim.webhook("message.delivered", { body: message.id });
  },
});
