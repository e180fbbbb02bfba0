import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A contact renames a group",
  promise: "A new name from a phone arrives as chat.group_name_updated and is the name of the chat.",
  async run(sim) {
    const [ada, grace] = [sim.phone(), sim.phone()];
    await ada.says("Hi");
    await grace.says("Hi");
    const group = await sim.send({ to: [ada, grace], text: "Welcome" });
    await ada.receives("Welcome");

    await ada.renamesGroup("Dinner club", group.id);
    await sim.webhook("chat.group_name_updated", { body: "Dinner club" });
    const chat = await sim.api.call("GET /v3/chats/{chatId}", { path: { chatId: group.id } });
    assert.equal(chat.display_name, "Dinner club");
  },
});
