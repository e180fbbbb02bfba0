import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "Opt-out and back",
  promise:
    "After STOP every message fails with 2024, except a final courtesy message, until the contact writes again.",
  async run(sim) {
    const ada = sim.phone();
    await ada.says("Hi");
    await ada.says("STOP");
    await assert.rejects(sim.send({ to: ada, text: "Still there?" }), { status: 403, code: 2024 });

    await sim.api.call("POST /v3/chats", {
      body: {
        from: sim.line,
        to: [ada.handle],
        message: { parts: [{ type: "text", value: "You won't hear from us again." }] },
        override_optout: true,
      },
    });
    await ada.receives("hear from us");

    await ada.says("I changed my mind");
    await sim.send({ to: ada, text: "Welcome back" });
    await ada.receives("Welcome back");
  },
});
