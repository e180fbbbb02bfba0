import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "SMS fallback",
  promise: "A phone without iMessage and RCS receives the message as SMS, and the webhook names the service.",
  async run(sim) {
    const ada = sim.phone(undefined, { platform: "sms_only" });
    await ada.says("Hi");
    const { message } = await sim.send({ to: ada, text: "Hello" });
    const received = await ada.receives("Hello");
    assert.equal(received.service, "SMS");
    const { data } = await sim.webhook("message.sent", { body: message.id });
    assert.equal(data.service, "SMS");
  },
});
