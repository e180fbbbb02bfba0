import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A contact leaves a group",
  promise: "Leaving on the phone arrives as participant.removed, and the contact gets no further messages.",
  async run(sim) {
    const [ada, grace, joan] = [sim.phone(), sim.phone(), sim.phone()];
    for (const phone of [ada, grace, joan]) await phone.says("Hi");
    const group = await sim.send({ to: [ada, grace, joan], text: "Welcome" });
    await joan.receives("Welcome");

    await joan.leaves(group.id);
    await sim.webhook("participant.removed", { body: joan.handle });
    await sim.api.call("POST /v3/chats/{chatId}/messages", {
      path: { chatId: group.id },
      body: { message: { parts: [{ type: "text", value: "Joan has left" }] } },
    });
    await ada.receives("Joan has left");
    assert.ok((await joan.received()).every(({ text }) => text !== "Joan has left"));
  },
});
