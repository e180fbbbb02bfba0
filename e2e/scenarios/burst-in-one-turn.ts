import assert from "node:assert/strict";
import { scenario } from "trunkline/testing";

const PHOTO =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export default scenario({
  title: "A burst of messages is one turn",
  promise:
    "Five messages with a photo, a reply and a correction arrive as one chat.turn, in order and whole, when the person is quiet.",
  async run(sim) {
    await sim.collectTurns({ quiet_seconds: 3 });
    const ada = sim.phone();
    const first = await ada.says("Hi, is this yours?");
    const photo = { type: "media", data: PHOTO, filename: "scarf.png" } as const;
    await ada.says({ parts: [photo] });
    const wrong = await ada.says("It was under tabel four");
    assert.ok(first.message_id && wrong.message_id);
    await ada.says({ text: "I mean this one", reply_to: { message_id: first.message_id, part_index: 0 } });
    await ada.says("I am here until nine");
    await ada.edits(wrong.message_id, "It was under table four");

    const { data } = await sim.turn({ timeoutMs: 30_000 });
    const parts = data.messages.map((message) => message.parts[0]);
    assert.deepEqual(
      parts.map((part) => (part?.type === "text" ? part.value : part?.type)),
      ["Hi, is this yours?", "media", "It was under table four", "I mean this one", "I am here until nine"],
    );
    assert.equal(data.reason, "quiet");
    assert.equal(data.from_handle.handle, ada.handle);
    assert.equal(data.messages[3]?.reply_to?.message_id, first.message_id);
  },
});
