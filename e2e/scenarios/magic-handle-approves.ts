import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A magic handle approves an agent payment",
  promise:
    "The magic handle +15005550114 replies with its code, adds a card and a passkey, and approves the payment with the passkey.",
  async run(sim) {
    const handle = "+15005550114";
    const path = { handle };
    const body = { amount_cents: 4200, currency: "usd", handle };
    const { connect_id = "" } = await sim.api.call("POST /v3/payments/handles/{handle}/connect", { path });
    const { data: received } = await sim.webhook("message.received", { body: handle });
    const [part] = received.parts;
    const code = part?.type === "text" ? part.value : "";
    await sim.api.call("POST /v3/payments/handles/{handle}/verify", { path, body: { code, connect_id } });
    const { attach_url = "" } = await sim.api.call("POST /v3/payments", { body });
    await sim.send({ to: handle, message: { parts: [{ type: "link", value: attach_url }] } });
    await sim.clock.runUntilIdle();
    const payment = await sim.api.call("POST /v3/payments", { body });
    assert.equal(payment.status, "ready");
  },
});
