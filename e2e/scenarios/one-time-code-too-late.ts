import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A one-time code that is too late",
  promise: "A code that is entered after 11 minutes fails.",
  async run(sim) {
    const ada = sim.phone();
    await ada.says("Hi");
    const { connect_id = "" } = await sim.api.call("POST /v3/payments/handles/{handle}/connect", {
      path: { handle: ada.handle },
    });
    const [code = ""] = /\d{6}/.exec((await ada.receives(/\d{6}/)).text) ?? [];
    await sim.clock.advance("11m");
    await assert.rejects(
      sim.api.call("POST /v3/payments/handles/{handle}/verify", {
        path: { handle: ada.handle },
        body: { code, connect_id },
      }),
      { status: 400 },
    );
  },
});
