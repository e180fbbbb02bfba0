import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createSimulator } from "trunkline/testing";
import { confirmBooking } from "./confirm-booking.mjs";

let sim;
beforeAll(async () => {
  sim = await createSimulator({ timeoutMs: 30_000 });
});
afterAll(() => sim.close());

test("a customer who asks for a table gets a code", async () => {
  const ada = sim.phone();
  await ada.says("A table for two, please");
  await confirmBooking(await sim.webhook("message.received"), sim);
  expect((await ada.receives(/code is \d+/)).text).toContain("481923");
});
