import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "Sandbox: the contact writes first",
  promise:
    "In a sandbox, a message to a phone that has never written fails with 2008 and works after its first message.",
  async run(sim) {
    const ada = await sim.phone().exists();
    await assert.rejects(sim.send({ to: ada, text: "Hello" }), { status: 403, code: 2008 });

    await ada.says("Hi");
    await sim.send({ to: ada, text: "Hello" });
    await ada.receives("Hello");
  },
});
