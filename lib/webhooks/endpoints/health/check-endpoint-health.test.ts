import "@/lib/testing/use-test-database";

import { afterEach, beforeAll, expect, test } from "vitest";
import { dismissNotice, restoreNotice } from "@/lib/identity/notices/dismiss-notice";
import { ListNotices, listNotices } from "@/lib/identity/notices/list-notices";
import type { Context } from "@/lib/platform/context";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { now, setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { deliveriesOf, runWebhookDelivery } from "@/lib/testing/events/run-webhook-delivery";
import { until } from "@/lib/testing/until";
import { checkEndpointHealth } from "@/lib/webhooks/endpoints/health/check-endpoint-health";
import { monitorEndpoints } from "@/lib/webhooks/endpoints/monitor-endpoints";
import { updateEndpointState } from "@/lib/webhooks/subscriptions/update-endpoint-state";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = new Date("2026-11-21T12:30:00.000Z");

const delivery = runWebhookDelivery();
let account: TestAccount;
let counter = 0;

beforeAll(async () => {
  account = await createTestAccount({ type: "production" });
});

afterEach(() => setClock(null));

function at(time: Date): void {
  setClock({ offsetMs: 0, frozenAt: time });
}

function after(ms: number): Date {
  return new Date(START.getTime() + ms);
}

async function subscribe(): Promise<string> {
  const { body } = await callApi("POST /v3/webhook-subscriptions", {
    token: account.token,
    body: {
      target_url: `https://hooks${++counter}.example.com/?secret=1`,
      subscribed_events: ["message.sent"],
    },
  });
  return body.id;
}

/** Stores the counts that recorded attempts would have stored. */
async function counted(id: string, time: Date, outcomes: Record<string, number>): Promise<void> {
  for (const [outcome, count] of Object.entries(outcomes)) {
    await sql.runText({
      text: `insert into webhook_attempt_counts
               (account_id, subscription_id, hour, outcome, latency_step, shard, count, first_at, last_at)
             values ($1, $2, date_trunc('hour', $3::timestamptz, 'UTC'), $4, 3, 0, $5, $3, $3)
             on conflict (account_id, subscription_id, hour, outcome, latency_step, shard) do update
             set count = webhook_attempt_counts.count + $5, last_at = $3`,
      values: [account.ref.id, id, time, outcome, count],
    });
  }
}

function endpoint(id: string) {
  return prisma().webhookSubscription.findFirstOrThrow({ where: { id } });
}

/** Open notices, newest first. */
function notices(id: string) {
  return prisma().accountNotice.findMany({
    where: { objectId: id, dismissedAt: null },
    orderBy: { id: "desc" },
  });
}

test("an endpoint gets one warning each at 50, 90 and 100 %, which ends when it is well again", async () => {
  at(START);
  const id = await subscribe();
  const seen: string[] = [];
  const check = async () => {
    await checkEndpointHealth();
    const [notice, ...others] = await notices(id);
    expect(others).toEqual([]);
    seen.push(notice === undefined ? "none" : `${notice.severity} ${/\d+/.exec(notice.body)?.[0]}`);
  };

  await counted(id, START, { "200": 5, "500": 4 });
  await check();
  await counted(id, START, { timeout: 1 });
  await check();
  await counted(id, START, { "404": 40 });
  await check();
  await check();
  expect(seen).toEqual(["none", "warning 50", "warning 90", "warning 90"]);
  expect(await endpoint(id)).toMatchObject({ warnedPercent: 90, failingSince: null });

  const nextDay = after(DAY_MS);
  at(nextDay);
  await counted(id, nextDay, { refused: 10 });
  await check();
  expect(seen.at(-1)).toBe("critical 100");
  expect(await endpoint(id)).toMatchObject({ warnedPercent: 100, failingSince: nextDay });

  await counted(id, nextDay, { "204": 11 });
  await check();
  expect(seen.at(-1)).toBe("none");
  expect(await endpoint(id)).toMatchObject({ warnedPercent: 0, failingSince: null, isActive: true });
  const [notice] = await prisma().accountNotice.findMany({ where: { objectId: id } });
  expect(notice).toMatchObject({ kind: "webhook_failing", link: `/webhooks/${id}` });
  expect(JSON.stringify(notice)).not.toContain("secret");
});

test("ten successes after the last failure end a warning, and the failures before them count no longer", async () => {
  at(START);
  const id = await subscribe();
  await counted(id, START, { "200": 20, "500": 400 });
  await checkEndpointHealth();
  expect(await endpoint(id)).toMatchObject({ warnedPercent: 90 });

  const later = after(HOUR_MS);
  at(later);
  await counted(id, later, { "200": 9 });
  await checkEndpointHealth();
  expect(await endpoint(id)).toMatchObject({ warnedPercent: 90 });
  await counted(id, later, { "200": 1 });
  await checkEndpointHealth();
  expect(await endpoint(id)).toMatchObject({ warnedPercent: 0, isActive: true });
  expect(await notices(id)).toEqual([]);

  const nextHour = after(2 * HOUR_MS);
  at(nextHour);
  await counted(id, nextHour, { "500": 9 });
  await checkEndpointHealth();
  expect(await endpoint(id)).toMatchObject({ warnedPercent: 0 });
  await counted(id, nextHour, { "500": 1 });
  await checkEndpointHealth();
  expect(await endpoint(id)).toMatchObject({ warnedPercent: 100, failingSince: nextHour });
});

test("an endpoint with only failures for five days is disabled, and counts anew when a person enables it", async () => {
  at(START);
  const id = await subscribe();
  await counted(id, after(-HOUR_MS), { "200": 100 });
  for (let hours = 0; hours <= 5 * 24; hours += 8) {
    const time = after(hours * HOUR_MS);
    at(time);
    await counted(id, time, { "503": 5 });
    await checkEndpointHealth();
    const isOver = hours === 5 * 24;
    expect(await endpoint(id)).toMatchObject({
      isActive: !isOver,
      disabledReason: isOver ? "failing" : null,
      disabledAt: isOver ? time : null,
    });
  }
  const [notice, ...others] = await notices(id);
  expect(notice).toMatchObject({ kind: "webhook_disabled", severity: "critical" });
  expect(others).toEqual([]);
  const [event] = await sql.runText<{ data: { reason: string } }>({
    text: `select data from events
           where type = 'webhook_subscription.disabled' and data -> 'webhook_subscription' ->> 'id' = $1`,
    values: [id],
  });
  expect(event?.data.reason).toBe("failing");

  await callApi(`PUT /v3/webhook-subscriptions/${id}`, { token: account.token, body: { is_active: true } });
  expect(await notices(id)).toEqual([]);
  await counted(id, now(), { "503": 50 });
  await checkEndpointHealth();
  expect(await endpoint(id)).toMatchObject({ isActive: true, warnedPercent: 0, failingSince: null });

  const nextHour = new Date(now().getTime() + HOUR_MS);
  at(nextHour);
  await counted(id, nextHour, { "503": 10 });
  await checkEndpointHealth();
  expect(await endpoint(id)).toMatchObject({ isActive: true, warnedPercent: 100, failingSince: nextHour });
});

test("one failure a day, five days long and no success, disables as well", async () => {
  at(START);
  const id = await subscribe();
  for (let days = 0; days <= 5; days++) {
    const time = after(days * DAY_MS);
    at(time);
    await counted(id, time, { timeout: 1 });
    await checkEndpointHealth();
    expect(await endpoint(id)).toMatchObject({ isActive: days < 5, warnedPercent: 0, failingSince: START });
  }
  expect(await notices(id)).toMatchObject([{ kind: "webhook_disabled" }]);
});

test("one success in five days keeps it, and our own faults do not count", async () => {
  at(START);
  const [once, ours] = [await subscribe(), await subscribe()];
  for (let hours = 0; hours <= 6 * 24; hours += 8) {
    const time = after(hours * HOUR_MS);
    at(time);
    await counted(once, time, hours === 48 ? { "200": 1, "500": 10 } : { "500": 10 });
    await counted(ours, time, { internal: 10, not_in_version: 10 });
    await checkEndpointHealth();
  }
  expect(await endpoint(once)).toMatchObject({
    isActive: true,
    warnedPercent: 100,
    failingSince: after(56 * HOUR_MS),
  });
  expect(await endpoint(ours)).toMatchObject({ isActive: true, warnedPercent: 0 });
  expect(await notices(ours)).toEqual([]);
});

test("two checks at once tell it once", async () => {
  at(START);
  const id = await subscribe();
  await counted(id, START, { "500": 20 });
  await Promise.all([checkEndpointHealth(), checkEndpointHealth(), checkEndpointHealth()]);
  expect(await prisma().accountNotice.count({ where: { objectId: id } })).toBe(1);

  at(after(5 * DAY_MS));
  await counted(id, after(5 * DAY_MS), { "500": 20 });
  await Promise.all([checkEndpointHealth(), checkEndpointHealth()]);
  expect(await prisma().accountNotice.count({ where: { objectId: id, kind: "webhook_disabled" } })).toBe(1);
});

test("looking at endpoints that are well takes one statement, however many there are", async () => {
  at(START);
  await delivery.stopDelivery();
  const few = await countStatements(() => checkEndpointHealth());
  for (let count = 0; count < 20; count++) await counted(await subscribe(), START, { "200": 30 });
  expect(await countStatements(() => checkEndpointHealth())).toBe(few);
  delivery.startDelivery();
});

test("an endpoint that answers 500 is warned of by what its attempts were recorded as", async () => {
  setClock(null);
  const receiver = await delivery.receive((response) => response.writeHead(500).end());
  const { id } = await delivery.subscribe(receiver.url);
  await delivery.emitMany(10);
  await until(async () => (await deliveriesOf(id)).every(({ tries }) => tries.length > 0));
  expect(await prisma().webhookAttemptCount.findMany({ where: { subscriptionId: id } })).not.toEqual([]);

  await checkEndpointHealth();
  expect(await notices(id)).toMatchObject([{ kind: "webhook_failing", severity: "critical" }]);
  expect(await endpoint(id)).toMatchObject({ isActive: true, warnedPercent: 100 });
});

test("counts that are no longer read are swept", async () => {
  at(START);
  const id = await subscribe();
  await counted(id, after(-9 * DAY_MS), { "200": 1 });
  await counted(id, after(-7 * DAY_MS), { "200": 1 });
  await monitorEndpoints(new AbortController().signal);
  expect(await prisma().webhookAttemptCount.count({ where: { subscriptionId: id } })).toBe(1);
});

test("notices are listed newest first, and dismissed only by people of their own account", async () => {
  at(START);
  const mine = await createTestAccount({ type: "production" });
  const other = await createTestAccount({ type: "production" });
  const ids = [newId(START.getTime()), newId(START.getTime() + 1)];
  for (const id of ids) {
    await prisma().accountNotice.create({
      data: {
        accountId: mine.ref.id,
        id,
        kind: "test",
        severity: "info",
        title: id,
        body: "",
        createdAt: START,
      },
    });
  }
  const as = (account: typeof mine): Context => ({
    ...account.context(),
    actor: {
      type: "user",
      userId: newId(START.getTime()),
      role: "viewer",
      name: "Vera",
      email: "v@example.com",
    },
  });
  const person = as(mine);
  const query = ListNotices.query.parse({ status: "open" });
  const listed = async (ctx: Context) => (await listNotices(ctx, { query })).notices.map(({ id }) => id);
  expect(await listed(person)).toEqual(ids.toReversed());
  const [first = ""] = ids;
  const input = { params: { noticeId: first } };
  await expect(dismissNotice(as(other), input)).rejects.toThrow("no notice with this ID");
  await expect(restoreNotice(as(other), input)).rejects.toThrow("no notice with this ID");
  await expect(dismissNotice(mine.context(), input)).rejects.toThrow();
  await dismissNotice(person, input);
  expect(await listed(person)).toEqual(ids.slice(1));
  expect(await listed(mine.context())).toEqual(ids.toReversed());
});

test("an endpoint that gets another target during a check is not reported for the failures of the earlier one", async () => {
  at(START);
  const id = await subscribe();
  await counted(id, START, { "500": 10 });
  const before = await endpoint(id);
  const mended = { ...before, targetUrl: "https://mended.example.com/", updatedAt: START };

  const { checking } = await transaction(async (tx) => {
    await updateEndpointState(tx, account.ref.id, before, mended);
    const checking = checkEndpointHealth();
    await untilLocked();
    return { checking };
  });

  await checking;
  expect(await endpoint(id)).toMatchObject({ warnedPercent: 0, failingSince: null });
  expect(await notices(id)).toEqual([]);
});
