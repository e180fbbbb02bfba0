import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A line goes down and comes back",
  promise: "Messages wait while the line is down and are delivered in order when the line is back.",
  async run(sim) {
    const ada = sim.phone();
    await ada.says("Hi");
    const setLine = (is_up: boolean) =>
      sim.api.call("PUT /simulator/lines/{phoneNumber}", {
        path: { phoneNumber: sim.line },
        body: { is_up },
      });
    await setLine(false);
    await sim.send({ to: ada, text: "First" });
    await sim.send({ to: ada, text: "Second" });
    assert.deepEqual(await ada.received(), []);

    await setLine(true);
    await sim.clock.advance("10m");
    assert.equal((await ada.receives()).text, "First");
    assert.equal((await ada.receives()).text, "Second");
  },
});
