import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "Edit within 15 minutes, and after",
  promise: "A message can be edited for 15 minutes. An edit after 16 minutes fails with 2015.",
  async run(sim) {
    const ada = sim.phone();
    await ada.says("When?");
    const { message } = await sim.send({ to: ada, text: "At seven" });
    await ada.receives("At seven");
    await sim.webhook("message.delivered", { body: message.id });
    const edit = (text: string) =>
      sim.api.call("PATCH /v3/messages/{messageId}", { path: { messageId: message.id }, body: { text } });

    await sim.clock.advance("14m");
    await edit("At eight");
    await sim.clock.advance("2m");
    await assert.rejects(edit("At nine"), { status: 409, code: 2015 });
  },
});
