import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "Read receipts on and off",
  promise: "A phone with read receipts reports that it read a message. A phone without them reports nothing.",
  async run(sim) {
    const ada = sim.phone();
    const grace = sim.phone(undefined, { read_receipts: false });
    let latest = "";
    for (const phone of [grace, ada]) {
      await phone.says("Hi");
      const { message } = await sim.send({ to: phone, text: "Hello" });
      await phone.receives("Hello");
      await sim.webhook("message.delivered", { body: message.id });
      await phone.reads();
      latest = message.id;
    }
    // Grace read first: a webhook of hers would have arrived before Ada's.
    const { data } = await sim.webhook("message.read");
    assert.equal(data.id, latest);
  },
});
