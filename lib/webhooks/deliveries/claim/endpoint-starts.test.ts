import "@/lib/testing/use-test-database";

import { afterEach, describe, expect, test, vi } from "vitest";
import { sql } from "@/lib/platform/database/db";
import { setClock } from "@/lib/platform/time/clock";
import { explainStatements } from "@/lib/testing/database/explain-statements";
import { deliveriesOf, runWebhookDelivery } from "@/lib/testing/events/run-webhook-delivery";
import { claimDeliveries } from "@/lib/webhooks/deliveries/claim/claim-deliveries";
import { EndpointSlots } from "@/lib/webhooks/deliveries/claim/endpoint-slots";
import { EndpointStarts } from "@/lib/webhooks/deliveries/claim/endpoint-starts";

const { emit, emitMany, stopDelivery, subscribe } = runWebhookDelivery();

const ENDED = 20_000;
const LONG_LEASE_MS = 600_000;

afterEach(() => {
  vi.restoreAllMocks();
  setClock(null);
});

async function claimWith(starts: EndpointStarts): Promise<string[]> {
  const { claimed } = await claimDeliveries(new EndpointSlots(512), {
    limit: 100,
    leaseMs: LONG_LEASE_MS,
    starts,
  });
  return claimed.map(({ subscription }) => subscription.id).toSorted();
}

/** Stops the time by which searches of all deliveries are due. */
function freezeSearchTime(): number {
  const at = performance.now();
  vi.spyOn(performance, "now").mockReturnValue(at);
  return at;
}

/** Moves the due time of the subscription's deliveries that were not claimed yet. */
async function moveDue(subscriptionId: string, by: string): Promise<void> {
  await sql.runText({
    text: `update webhook_deliveries set run_at = run_at + $2::interval
           where subscription_id = $1 and run_at is not null and lease_until is null`,
    values: [subscriptionId, by],
  });
}

test("a claim does not read the entries of deliveries that ended before", async () => {
  await stopDelivery();
  await sql.runText({ text: "alter table webhook_deliveries set (autovacuum_enabled = false)" });
  const { id } = await subscribe("https://hooks.example.com/");
  await emitMany(ENDED);
  for (const set of [
    "run_at = run_at - random() * interval '1 hour'",
    "run_at = null, status = 'delivered'",
  ]) {
    await sql.runText({ text: `update webhook_deliveries set ${set}` });
  }
  await sql.runText({ text: "analyze webhook_deliveries" });
  setClock({ offsetMs: 7_200_000, frozenAt: null });
  const starts = new EndpointStarts();
  freezeSearchTime();
  const pagesOfClaim = async () => {
    await emit();
    await moveDue(id, "1 hour");
    const scans = await explainStatements(() => claimWith(starts));
    return scans
      .filter(({ node, on }) => node.includes("Scan") && on === "webhook_deliveries")
      .reduce((sum, { pages }) => sum + pages, 0);
  };

  const all = await pagesOfClaim();
  const known = await pagesOfClaim();

  expect(all).toBeGreaterThan(100);
  expect(known).toBeLessThan(15);
  expect((await deliveriesOf(id)).filter(({ leaseUntil }) => leaseUntil !== null)).toHaveLength(2);
});

describe("nothing due is missed", () => {
  test("an endpoint is found beside those whose start is known", async () => {
    await stopDelivery();
    const endpoints = [];
    for (let n = 0; n < 7; n++) endpoints.push((await subscribe(`https://hooks-${n}.example.com/`)).id);
    endpoints.sort();
    for (let known = 0; known < 2 ** endpoints.length; known += 5) {
      const starts = new EndpointStarts();
      for (const [index, id] of endpoints.entries()) if (known & (2 ** index)) starts.note(id, new Date());
      starts.next();
      await emit();
      expect(await claimWith(starts), `known: ${known.toString(2)}`).toEqual(endpoints);
    }
  });

  test("a delivery stored long after its due time is found within 2 seconds", async () => {
    await stopDelivery();
    const { id } = await subscribe("https://hooks.example.com/");
    const starts = new EndpointStarts();
    const at = freezeSearchTime();
    await emit();
    expect(await claimWith(starts)).toEqual([id]);

    await emit();
    await moveDue(id, "-9 seconds");
    expect(await claimWith(starts)).toEqual([id]);
    await emit();
    await moveDue(id, "-1 hour");
    expect(await claimWith(starts)).toEqual([]);
    vi.spyOn(performance, "now").mockReturnValue(at + 2000);
    expect(await claimWith(starts)).toEqual([id]);
  });

  test("a platform clock that is set back does not hide deliveries", async () => {
    await stopDelivery();
    const { id } = await subscribe("https://hooks.example.com/");
    const starts = new EndpointStarts();
    await emit();
    expect(await claimWith(starts)).toEqual([id]);
    setClock({ offsetMs: -3_600_000, frozenAt: null });
    await emit();
    expect(await claimWith(starts)).toEqual([id]);
  });
});

test("the starts of the endpoints used last are remembered", () => {
  const starts = new EndpointStarts();
  const ids = Array.from({ length: 101 }, (_, n) => `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`);
  for (const id of ids.slice(0, 100)) starts.note(id, new Date(60_000));
  expect(starts.next()).toEqual({ subscriptionIds: [], from: [] });
  starts.note(ids[0] ?? "", new Date(80_000));
  starts.note(ids[100] ?? "", new Date(90_000));
  const { subscriptionIds, from } = starts.next();
  expect(subscriptionIds).toEqual([...ids.slice(2, 100), ids[0], ids[100]]);
  expect(from.slice(-3)).toEqual([new Date(50_000), new Date(70_000), new Date(80_000)]);
});
