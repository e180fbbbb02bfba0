import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A magic handle denies an agent payment",
  promise:
    "The magic handle +15005550115 does not approve the payment, which expires after 15 minutes without a card.",
  async run(sim) {
    const handle = "+15005550115";
    const path = { handle };
    const body = { amount_cents: 4200, currency: "usd", handle };
    const { connect_id = "" } = await sim.api.call("POST /v3/payments/handles/{handle}/connect", { path });
    const { data: received } = await sim.webhook("message.received", { body: handle });
    const [part] = received.parts;
    const code = part?.type === "text" ? part.value : "";
    await sim.api.call("POST /v3/payments/handles/{handle}/verify", { path, body: { code, connect_id } });
    const { attach_url = "" } = await sim.api.call("POST /v3/payments", { body });
    await sim.send({ to: handle, message: { parts: [{ type: "link", value: attach_url }] } });
    await sim.webhook("message.received", { body: "I don't approve this payment" });
    const open = await sim.api.call("POST /v3/payments", { body });
    assert.equal(open.status, "awaiting_user_action");
    await sim.clock.advance("16m");
    const next = await sim.api.call("POST /v3/payments", { body });
    assert.notEqual(next.approval_url, open.approval_url);
  },
});
