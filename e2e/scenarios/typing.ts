import { scenario } from "trunkline/testing";

export default scenario({
  title: "Typing indicators",
  promise: "A contact who types is reported, and stops being reported.",
  async run(sim) {
    const ada = sim.phone();
    await ada.says("Hi");
    await ada.startsTyping();
    await sim.webhook("chat.typing_indicator.started");
    await ada.stopsTyping();
    await sim.webhook("chat.typing_indicator.stopped");
  },
});
