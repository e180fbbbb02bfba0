import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A flagged line",
  promise: "A flagged line sends nothing: 2027. After the flag is removed, the line sends again.",
  async run(sim) {
    const ada = sim.phone();
    await ada.says("Hi");
    const setLine = (status: "ACTIVE" | "FLAGGED") =>
      sim.api.call("PUT /simulator/lines/{phoneNumber}", {
        path: { phoneNumber: sim.line },
        body: { status },
      });
    await setLine("FLAGGED");
    await sim.webhook("phone_number.status_updated");
    await assert.rejects(sim.send({ to: ada, text: "Hello" }), { status: 403, code: 2027 });

    await setLine("ACTIVE");
    await sim.send({ to: ada, text: "Hello" });
    await ada.receives("Hello");
  },
});
