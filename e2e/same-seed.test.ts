// The same seed gives the same run on two fresh instances: `npx vitest run --config e2e/scenarios.config.ts same-seed`.
import { expect, test } from "vitest";
import { createSimulator, type Simulator } from "@/lib/testkit/testing";

const START = new Date("2027-03-01T12:00:00.000Z");
const ECHOES = "+15005550105";

/** Values that no seed determines: traces, tokens, secrets, and the addresses of the instance and of its receiver. */
const CHANGING = /"(?:trace_id|token_prefix)":"[^"]*"|tlpay_[\w-]+|127\.0\.0\.1:\d+|localhost:\d+/g;

/** Every message, event, phone and webhook of a conversation, as text. */
async function transcribe(seed: string): Promise<string[]> {
  const sim = await createSimulator({ start: true, seed: "clock", webhooks: false });
  try {
    await sim.clock.freeze();
    const left = START.getTime() - (await sim.clock.now()).getTime();
    await sim.clock.advance(`${left}ms`);
    expect(await sim.clock.now()).toEqual(START);
    const own = await createSimulator({ url: sim.url, token: sim.token, seed });
    try {
      await converse(own);
      return await readAll(own);
    } finally {
      await own.close();
    }
  } finally {
    await sim.close();
  }
}

async function converse(sim: Simulator): Promise<void> {
  const [ada, grace] = [sim.phone(), sim.phone()];
  const hello = await ada.says("A table for two, please");
  const { message } = await sim.send({ to: ada, text: "At what time?" });
  await ada.receives("At what time?");
  await ada.reacts(message.id, "love");
  await ada.edits(hello.message_id ?? "", "A table for three, please");
  await sim.clock.runUntilIdle();
  const request = await sim.api.call("POST /v3/payment_requests", {
    body: { amount: 4200, currency: "usd" },
  });
  await ada.pays(request.checkout_url);
  await sim.send({ to: ECHOES, text: "Are you there?" });
  await sim.clock.runUntilIdle();
  await sim.webhook("message.received", { body: "Are you there?" });
  await grace.says("STOP");
  await sim.clock.advance("1h");
}

async function readAll(sim: Simulator): Promise<string[]> {
  const { chats } = await sim.api.call("GET /v3/chats");
  const messages = [];
  for (const { id } of chats) {
    messages.push(await sim.api.call("GET /v3/chats/{chatId}/messages", { path: { chatId: id } }));
  }
  const { events } = await sim.api.call("GET /simulator/events", { query: { limit: "100" } });
  const phones = await sim.api.call("GET /simulator/phones");
  const webhooks = sim.webhooks.all.map(({ body, headers }) => `${headers["webhook-id"]} ${body}`);
  expect(webhooks.length).toBeGreaterThan(8);
  const all = [chats, messages, phones].map((value) => JSON.stringify(value));
  // Two workers may finish in any order: the log of events and the arrival of webhooks are compared as sets.
  const unordered = [...events.map((event) => JSON.stringify(event)), ...webhooks]
    .map(withoutChanging)
    .sort();
  return [...all.map(withoutChanging), ...unordered];
}

const withoutChanging = (text: string) => text.replaceAll(CHANGING, "…");

test("the same seed gives the same run, IDs included", async () => {
  const first = await transcribe("dinner");
  expect(await transcribe("dinner")).toEqual(first);
  expect(first.join("\n")).toContain("A table for three, please");
}, 120_000);
