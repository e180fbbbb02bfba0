import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "Almost an opt-out",
  promise: "A message that only contains an opt-out keyword does not opt the contact out.",
  async run(sim) {
    const ada = sim.phone();
    for (const text of ["Please don't STOP", "stop", "STOP it"]) {
      await ada.says(text);
      await sim.send({ to: ada, text: `You wrote: ${text}` });
      await ada.receives(`You wrote: ${text}`);
    }
    await ada.says(" opt-out ");
    await assert.rejects(sim.send({ to: ada, text: "Hello" }), { status: 403, code: 2024 });
  },
});
