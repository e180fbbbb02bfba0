import "@/lib/testing/use-test-database";

import { describe, expect, test } from "vitest";
import { callApi } from "@/lib/testing/call-api";
import { accountEventBench } from "@/lib/testing/events/account-event-bench";
import { deleteWebhookSubscription } from "@/lib/webhooks/subscriptions/delete-webhook-subscription";

const bench = accountEventBench();
const { asAda, subscribe, pendingFor, newestPendingFor, change } = bench;

describe("subscriptions", () => {
  const TYPES = [
    "webhook_subscription.created",
    "webhook_subscription.deleted",
    "webhook_subscription.target_url_changed",
    "webhook_subscription.enabled",
    "webhook_subscription.disabled",
    "webhook_subscription.events.updated",
    "webhook_subscription.phone_numbers.updated",
  ];

  test("a new subscription receives its own event, the only one that lists its subscribed events", async () => {
    const id = await subscribe(["webhook_subscription.created", "message.sent"]);
    expect((await newestPendingFor(id)).data.webhook_subscription).toEqual({
      id,
      target_url: `https://hooks.example.com/${bench.made}`,
      events: ["webhook_subscription.created", "message.sent"],
    });
  });

  test("each changed property emits an event of its own; unchanged ones emit none", async () => {
    const listener = await subscribe(TYPES);
    const id = await subscribe(["message.sent", "message.read"]);
    const target_url = "https://hooks.example.com/moved";
    await change(asAda(), id, { target_url, subscribed_events: ["message.read", "message.sent"] });
    await change(asAda(), id, { target_url, subscribed_events: ["message.sent"] });
    await change(asAda(), id, { phone_numbers: [bench.account.line], is_active: false });
    await change(asAda(), id, { phone_numbers: [], is_active: true });
    await change(asAda(), id, { is_active: true });

    const emitted = (await pendingFor(listener))
      .filter(({ data }) => data.webhook_subscription.id === id)
      .slice(1);
    expect(emitted.map(({ type, data }) => [type.replace("webhook_subscription.", ""), data.change])).toEqual(
      [
        ["target_url_changed", { from: `https://hooks.example.com/${bench.made}`, to: target_url }],
        ["events.updated", { from: ["message.read", "message.sent"], to: ["message.sent"] }],
        ["phone_numbers.updated", { from: null, to: [bench.account.line] }],
        ["disabled", undefined],
        ["phone_numbers.updated", { from: [bench.account.line], to: null }],
        ["enabled", undefined],
      ],
    );
    for (const { data } of emitted) {
      expect(data).toMatchObject({ actor: { name: "Ada" }, webhook_subscription: { id, target_url } });
    }
  });

  test("events hold no query, credential, fragment or secret of a target", async () => {
    const listener = await subscribe(TYPES);
    const id = await subscribe(["message.sent"], {
      target_url: "https://hooks.example.com/q?key=hunter2#hunter3",
    });
    await change(asAda(), id, { target_url: "https://hooks.example.com/r?key=hunter4" });
    await deleteWebhookSubscription(asAda(), {
      params: { subscriptionId: id },
      query: undefined,
      body: undefined,
    });

    const emitted = (await pendingFor(listener)).filter(({ data }) => data.webhook_subscription.id === id);
    expect(emitted.map(({ type, data }) => [type, data.webhook_subscription.target_url])).toEqual([
      ["webhook_subscription.created", "https://hooks.example.com/q"],
      ["webhook_subscription.target_url_changed", "https://hooks.example.com/r"],
      ["webhook_subscription.deleted", "https://hooks.example.com/r"],
    ]);
    expect(JSON.stringify(emitted)).not.toMatch(/hunter|whsec_/);
  });

  test("two concurrent deletes emit one event; the second finds no subscription", async () => {
    const listener = await subscribe(TYPES);
    const id = await subscribe(["message.sent"]);
    const call = () => callApi(`DELETE /v3/webhook-subscriptions/${id}`, { token: bench.account.token });
    const answers = await Promise.all([call(), call(), call()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
    const emitted = (await pendingFor(listener)).filter(
      ({ type }) => type === "webhook_subscription.deleted",
    );
    expect(emitted).toHaveLength(1);
  });

  test("two concurrent changes emit events that form a chain", async () => {
    const listener = await subscribe(TYPES);
    const id = await subscribe(["message.sent"]);
    await Promise.all([
      change(asAda(), id, { subscribed_events: ["message.read"] }),
      change(asAda(), id, { subscribed_events: ["message.failed"] }),
    ]);
    const changes = (await pendingFor(listener))
      .filter(({ type, data }) => type.endsWith("events.updated") && data.webhook_subscription.id === id)
      .map(({ data }) => data.change);
    expect(changes[0].from).toEqual(["message.sent"]);
    expect(changes[1].from).toEqual(changes[0].to);
  });
});
