import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A one-time code",
  promise:
    "The customer's phone receives the code. A wrong code fails, and the right one connects the customer.",
  async run(sim) {
    const ada = sim.phone();
    await ada.says("Hi");
    const { connect_id = "" } = await sim.api.call("POST /v3/payments/handles/{handle}/connect", {
      path: { handle: ada.handle },
    });
    const [code = ""] = /\d{6}/.exec((await ada.receives(/\d{6}/)).text) ?? [];
    const verify = (given: string) =>
      sim.api.call("POST /v3/payments/handles/{handle}/verify", {
        path: { handle: ada.handle },
        body: { code: given, connect_id },
      });
    const wrong = code === "000000" ? "000001" : "000000";
    await assert.rejects(verify(wrong), { status: 400 });
    assert.equal((await verify(code)).status, "connected");
    await sim.webhook("connection.created", { body: ada.handle });
  },
});
