import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "An account is reset",
  promise:
    "A reset deletes chats, phones, opt-outs and faults. The token, the line and the webhook endpoint still work.",
  async run(sim) {
    const ada = sim.phone();
    await ada.says("Hi");
    await ada.says("STOP");
    await sim.faults.add({ match: { route: "GET /v3/chats" }, effect: { type: "error", code: 1007 } });
    await sim.reset();

    assert.deepEqual((await sim.api.call("GET /v3/chats")).chats, []);
    assert.deepEqual(await sim.faults.list(), []);
    await ada.says("Hello again");
    await sim.webhook("message.received", { body: "Hello again" });
    await sim.send({ to: ada, text: "Welcome" });
    await ada.receives("Welcome");
  },
});
