import { createSimulator, type Simulator } from "trunkline/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { confirmBooking } from "./confirm-booking.mjs";

let sim: Simulator;
beforeAll(async () => {
  sim = await createSimulator({ timeoutMs: 30_000 });
});
afterAll(() => sim.close());

test("a customer who asks for a table gets a code", async () => {
  const ada = sim.phone();
  await ada.says("A table for two, please");
  const received = await sim.webhook("message.received", { body: /table for two/ });
  await confirmBooking(received, sim);
  expect((await ada.receives(/code is \d+/)).text).toContain("481923");
  expect((await sim.webhook("message.delivered")).data.chat.is_group).toBe(false);
});
