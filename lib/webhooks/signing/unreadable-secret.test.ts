import "@/lib/testing/use-test-database";
import { expect, test } from "vitest";
import { prisma, sql } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import { advance, deliveriesOf, runWebhookDelivery } from "@/lib/testing/events/run-webhook-delivery";
import { until } from "@/lib/testing/until";
import { withdrawSecretNotices } from "@/lib/webhooks/endpoints/health/withdraw-secret-notices";
import { rotateWebhookSecret } from "@/lib/webhooks/endpoints/rotate-webhook-secret";

const { account, emit, receive, subscribe } = runWebhookDelivery();

/** Gives a subscription the sealed secret of another row, which cannot be opened. Returns the original one. */
async function makeUnreadable(id: string): Promise<Buffer> {
  const other = await subscribe("https://hooks.example.com/other", { phone_numbers: [] });
  const [own] = await sql.runText<{ signing_secret: Buffer }>({
    text: "select signing_secret from webhook_subscriptions where id = $1",
    values: [id],
  });
  await sql.runText({
    text: `update webhook_subscriptions s set signing_secret = o.signing_secret, is_active = true
           from webhook_subscriptions o where s.id = $1 and o.id = $2`,
    values: [id, other.id],
  });
  await sql.runText({
    text: "update webhook_subscriptions set deleted_at = now(), is_active = false where id = $1",
    values: [other.id],
  });
  if (own === undefined) throw new Error("there is no such subscription");
  return own.signing_secret;
}

async function postponed(id: string) {
  let found: Awaited<ReturnType<typeof deliveriesOf>>[number] | undefined;
  await until(async () => {
    const [delivery] = await deliveriesOf(id);
    found = delivery;
    return delivery?.leaseUntil === null && delivery.runAt !== null && delivery.runAt > now();
  });
  return found;
}

function openNotices(id: string) {
  return prisma().accountNotice.findMany({
    where: { objectId: id, kind: "webhook_secret_unreadable", dismissedAt: null },
  });
}

test("a secret that cannot be decrypted uses no attempts and raises one notice; the delivery arrives once it can", async () => {
  const receiver = await receive();
  const { id } = await subscribe(receiver.url);
  const own = await makeUnreadable(id);
  await emit();

  for (let round = 0; round < 3; round++) {
    expect(await postponed(id)).toMatchObject({ attempts: 0, status: "waiting", tries: [] });
    expect(await openNotices(id)).toHaveLength(1);
    advance(round === 2 ? 0 : 6 * 60_000);
  }
  expect(receiver.received).toEqual([]);

  await sql.runText({
    text: "update webhook_subscriptions set signing_secret = $2 where id = $1",
    values: [id, own],
  });
  expect(await withdrawSecretNotices()).toBe(1);
  expect(await openNotices(id)).toEqual([]);
  advance(6 * 60_000);
  await until(() => receiver.received.length === 1);
  await until(async () => (await deliveriesOf(id))[0]?.status === "delivered");
  expect((await deliveriesOf(id))[0]?.attempts).toBe(1);
});

test("a rotation replaces an unreadable secret at once, without an overlap, and withdraws the notice", async () => {
  const receiver = await receive();
  const { id } = await subscribe(receiver.url);
  await makeUnreadable(id);
  await emit();
  await postponed(id);

  const input = { params: { subscriptionId: id }, body: { overlap_hours: 24 } };
  const { previous_valid_until } = await rotateWebhookSecret(account().context(), input);

  expect(previous_valid_until).toBeNull();
  expect(await openNotices(id)).toEqual([]);
  advance(6 * 60_000);
  await until(() => receiver.received.length === 1);
});
