import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

export default scenario({
  title: "A shared location",
  promise: "A contact shares a location, which the API returns. Its start and its end are webhooks.",
  async run(sim) {
    const ada = sim.phone();
    const { chat_id } = await ada.says("I'm on my way");
    const path = { chatId: chat_id ?? "" };
    await ada.sharesLocation({ latitude: 40.7484, longitude: -73.9857 });
    const { data } = await sim.webhook("location.sharing.started");
    assert.equal(data.shared_by, ada.handle);
    const location = await sim.api.call("GET /v3/chats/{chatId}/location", { path });
    assert.match(JSON.stringify(location.data), /40\.7484/);

    await ada.stopsSharingLocation();
    await sim.webhook("location.sharing.stopped");
  },
});
