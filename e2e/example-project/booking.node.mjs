import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSimulator } from "trunkline/testing";
import { confirmBooking } from "./confirm-booking.mjs";

let sim;
// Starts an instance of its own, so that the test can move its clock.
before(async () => {
  sim = await createSimulator({ start: true, timeoutMs: 30_000 });
});
after(() => sim.close());

test("a customer who asks for a table gets a code", async () => {
  const ada = sim.phone();
  await ada.says("A table for two, please");
  await confirmBooking(await sim.webhook("message.received"), sim);
  assert.match((await ada.receives(/code is \d+/)).text, /481923/);
});

test("an unpaid request expires after a day", async () => {
  const { id } = await sim.api.call("POST /v3/payment_requests", {
    body: { amount: 4200, currency: "usd", description: "Dinner for two" },
  });
  await sim.clock.advance("25h");
  const { data } = await sim.webhook("payment.expired");
  assert.equal(data.id, id);
});
