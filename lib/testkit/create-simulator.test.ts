import "@/lib/testing/use-test-database";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { serveApi } from "@/lib/testing/serve-api";
import { ApiCallError, createSimulator, type Simulator, WaitTimeoutError } from "@/lib/testkit/testing";

let owner: TestAccount;
let worker: Worker;
let served: Awaited<ReturnType<typeof serveApi>>;
let sim: Simulator;

beforeAll(async () => {
  process.env.CLOCK_CONTROL = "1";
  process.env.WEBHOOK_ALLOW_PRIVATE = "127.0.0.1";
  owner = await createTestAccount({ type: "sandbox" });
  worker = await startWorker();
  served = await serveApi();
  sim = await createSimulator({ url: `${served.baseUrl}/`, token: owner.token });
});

afterAll(async () => {
  await sim.close();
  await worker.stop();
  await served.close();
});

describe("a simulator", () => {
  test("is an account of its own: another simulator sees none of its chats", async () => {
    await sim.phone().says("only here");
    const other = await createSimulator({ url: sim.url, token: sim.token, webhooks: false });
    expect(other.accountId).not.toBe(sim.accountId);
    expect((await other.api.call("GET /v3/chats")).chats).toEqual([]);
    expect((await sim.api.call("GET /v3/chats")).chats).not.toEqual([]);
  });

  test("gives each phone without a number the next unused one, and the same number the same phone", () => {
    const [first, second] = [sim.phone(), sim.phone()];
    expect(second.handle).not.toBe(first.handle);
    expect(sim.phone(first.handle)).toBe(first);
    expect(first.handle).toMatch(/^\+1\d{3}55501\d\d$/);
  });

  test("with the same seed has the same numbers and never the same token", async () => {
    const seeded = () => createSimulator({ url: sim.url, token: sim.token, seed: "dinner", webhooks: false });
    const [first, second] = [await seeded(), await seeded()];
    expect(second.phone().handle).toBe(first.phone().handle);
    expect(second.token).not.toBe(first.token);
  });

  test("without a token says how to get one, before it calls anything", async () => {
    await expect(createSimulator({ url: "http://127.0.0.1:1", token: "" })).rejects.toThrow(
      "set TRUNKLINE_TOKEN",
    );
  });

  test("with a wrong token throws the error of the API", async () => {
    const refused = await createSimulator({ url: sim.url, token: "tl_sandbox_no" }).catch((error) => error);
    expect(refused).toBeInstanceOf(ApiCallError);
    expect(refused).toMatchObject({ status: 401, code: 2004, operation: "POST /simulator/accounts" });
    expect(refused.traceId).toMatch(/^[0-9a-f]{32}$/);
  });

  test("receives every event type but those that have to be named", async () => {
    const { catalog } = await sim.api.call("GET /v3/webhook-events");
    const { subscriptions } = await sim.api.call("GET /v3/webhook-subscriptions");
    const named = catalog.filter(({ opt_in }) => opt_in === true).map(({ event_type }) => event_type);
    const all = catalog.map(({ event_type }) => event_type);
    expect(named).toContain("chat.turn");
    expect(subscriptions.map(({ subscribed_events }) => [...subscribed_events].sort())).toEqual([
      all.filter((type) => !named.includes(type)).sort(),
    ]);
  });

  test("without lines or webhooks names what is missing", async () => {
    const bare = await createSimulator({ url: sim.url, token: sim.token, lines: 0, webhooks: false });
    expect(() => bare.line).toThrow("no line");
    expect(() => bare.webhooks).toThrow("Webhooks are off");
  });
});

describe("a phone", () => {
  test("receives a message that matches; each message resolves one wait, in order", async () => {
    const phone = sim.phone();
    await phone.says("hi");
    const { id } = await sim.send({ to: phone, text: "Your code is 1234" });
    await sim.send({ to: phone, text: "Your code is 5678" });
    const first = await phone.receives(/code is (\d+)/g);
    expect(first).toMatchObject({ chat_id: id, from: sim.line, text: "Your code is 1234" });
    expect((await phone.receives("code")).text).toBe("Your code is 5678");
    expect((await phone.received()).map(({ text }) => text)).toEqual([
      "Your code is 1234",
      "Your code is 5678",
    ]);
  });

  test("that receives something else says so when the wait ends", async () => {
    const phone = sim.phone();
    await phone.says("hi");
    await sim.send({ to: phone, text: "Goodbye" });
    await phone.receives("Goodbye");
    const { message } = await sim.send({ to: phone, text: "And again" });
    await sim.webhook("message.delivered", { body: message.id });
    const failure = await phone.receives(/code/, { timeoutMs: 100 }).catch((error) => error);
    expect(failure).toBeInstanceOf(WaitTimeoutError);
    expect(failure.message).toContain(`No message to ${phone.handle} matching /code/ within 0.1 s.`);
    expect(failure.message).toContain('"And again"');
    expect(failure.message).not.toContain("Goodbye");
  });

  test("reads, reacts and edits, and each is a webhook", async () => {
    const phone = sim.phone();
    const { message_id } = await phone.says("Dinner at seven");
    const { message } = await sim.send({ to: phone, text: "Gladly" });
    await phone.receives("Gladly");
    await phone.reads();
    expect((await sim.webhook("message.read", { body: message.id })).event_type).toBe("message.read");
    await phone.reacts(message.id, "love");
    await sim.webhook("reaction.added", { body: message.id });
    await phone.edits(message_id ?? "", "Dinner at eight");
    expect((await sim.webhook("message.edited")).data).toMatchObject({ chat: { is_group: false } });
  });

  test("with a fault fails the message", async () => {
    const phone = await sim.phone().is({ fault: "unreachable" });
    await phone.says("hi");
    const { message } = await sim.send({ to: phone, text: "Are you there?" });
    const failed = await sim.webhook("message.failed", { body: message.id });
    expect(failed.data).toMatchObject({ code: 4001 });
  });

  test("pays at a checkout link, or its card is declined", async () => {
    const [payer, other] = [sim.phone(), sim.phone()];
    const created = await sim.api.call("POST /v3/payment_requests", {
      body: { amount: 4200, currency: "usd", description: "Dinner" },
    });
    expect(await other.pays(created.checkout_url, { card: "declined" })).toBe("declined");
    expect(await payer.pays(created.checkout_url)).toBe("accepted");
    expect((await sim.webhook("payment.succeeded", { body: created.id })).data).toMatchObject({
      amount: 4200,
    });
    await expect(payer.pays(`${sim.url}/pay/none?session=none`)).rejects.toThrow("took no payment: 404");
  });

  test("before its first message needs the ID of a chat", async () => {
    await expect(sim.phone().reads()).rejects.toThrow("has sent no message yet");
  });
});

describe("webhooks", () => {
  test("that are answered with an error are attempted again when the clock reaches the retry", async () => {
    const other = await createSimulator({ url: sim.url, token: sim.token });
    other.webhooks.respondWith(({ attempt }) => (attempt < 3 ? 503 : 200));
    await other.phone().says("hi");
    const [first] = [await other.webhooks.nextAttempt("message.received")];
    expect(first.answered).toBe(503);
    await other.clock.advance("2s");
    expect((await other.webhooks.nextAttempt("message.received")).answered).toBe(503);
    await other.clock.advance("4s");
    expect((await other.webhook("message.received")).event_id).toBe(first.event.event_id);
    await other.clock.reset();
    await other.close();
  });

  test("without a valid signature are refused and not kept", async () => {
    const { target_url } = await sim.api.call("GET /v3/webhook-subscriptions/{subscriptionId}", {
      path: { subscriptionId: sim.webhooks.subscriptionId },
    });
    const before = sim.webhooks.all.length;
    const forged = await fetch(target_url, { method: "POST", body: "{}" });
    expect([forged.status, sim.webhooks.all.length]).toEqual([401, before]);
  });

  test("that never arrive end the wait", async () => {
    await expect(sim.webhook("poll.received", { timeoutMs: 50 })).rejects.toThrow(
      "No webhook poll.received within 0.05 s.",
    );
  });
});

test("a consumer gets the named events once, in order, also when two waits poll at the same time", async () => {
  const consumer = await sim.consumer("named", { types: ["chat.loop_detected", "message.received"] });
  expect(await sim.consumer("named", { types: ["message.received", "chat.loop_detected"] })).toBe(consumer);
  const waits = [consumer.next("chat.loop_detected"), consumer.next("message.received", { body: "second" })];
  await sim.phone().says("first");
  await sim.phone().says("second");
  const { event_id } = await sim.trigger("chat.loop_detected");
  const [loop, second] = await Promise.all(waits);
  expect(loop?.event_id).toBe(event_id);
  expect(second).toMatchObject({ event_type: "message.received" });
  expect(await consumer.next("message.received")).toMatchObject({ data: { parts: [{ value: "first" }] } });
  expect(consumer.all.map(({ event_type }) => event_type)).toEqual([
    "message.received",
    "message.received",
    "chat.loop_detected",
  ]);
  const path = { name: "named" };
  await expect
    .poll(async () => (await sim.api.call("GET /v3/consumers/{name}", { path })).lag.events)
    .toBe(0);
  await expect(consumer.next("chat.resumed", { timeoutMs: 50 })).rejects.toThrow(
    "No event chat.resumed within",
  );
  await sim.api.call("DELETE /v3/consumers/{name}", { path });
  await expect(consumer.next("chat.resumed")).rejects.toMatchObject({ status: 404, code: 2034 });
});

test("a triggered event arrives as a signed webhook with the given values", async () => {
  const parts = [{ type: "text", value: "On my way!", text_decorations: null }];
  const { event_id } = await sim.trigger("message.received", { data: { parts } });
  expect(await sim.webhook("message.received", { body: "On my way!" })).toMatchObject({ event_id });
});

test("a fault acts until it is removed", async () => {
  const fault = await sim.faults.add({
    match: { route: "GET /v3/chats" },
    effect: { type: "error", code: 1007 },
  });
  await expect(sim.api.call("GET /v3/chats")).rejects.toMatchObject({ status: 429, code: 1007 });
  expect(await sim.faults.list()).toMatchObject([{ id: fault.id, applied: 1 }]);
  await sim.faults.remove(fault.id);
  await sim.api.call("GET /v3/chats");
  await sim.faults.add({ match: { route: "GET /v3/chats" }, effect: { type: "error", code: 3006 } });
  await sim.faults.clear();
  expect(await sim.faults.list()).toEqual([]);
});

test("a frozen clock stands still until it is advanced, and a reset returns to the wall clock", async () => {
  await sim.clock.freeze();
  const frozenAt = await sim.clock.now();
  expect(await sim.clock.now()).toEqual(frozenAt);
  await sim.clock.advance("1d");
  expect((await sim.clock.now()).getTime()).toBe(frozenAt.getTime() + 86_400_000);
  expect((await sim.clock.unfreeze()).frozen).toBe(false);
  expect((await sim.clock.reset()).offset_ms).toBe(0);
});
