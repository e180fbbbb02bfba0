import "@/lib/testing/use-test-database";

import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { POST as replaysRoute } from "@/app/api/webhooks/[subscriptionId]/replays/route";
import { callApi } from "@/lib/testing/call-api";
import { until } from "@/lib/testing/factories";
import { replayBench } from "@/lib/testing/replay-bench";
import type { Receiver } from "@/lib/testing/start-receiver";

const bench = replayBench();
const {
  work,
  receive,
  subscribe,
  setActive,
  emit,
  deliveriesOf,
  replay,
  preview,
  replayOne,
  progressOf,
  change,
  untilState,
  idsAt,
} = bench;

describe("a replay that is", () => {
  async function missed(receiver: Receiver, count: number): Promise<string> {
    const { id } = await subscribe(receiver.url);
    await setActive(id, false);
    await emit(count);
    await setActive(id, true);
    return id;
  }

  test("paused sends nothing more until it is resumed, and then the rest", async () => {
    work();
    const receiver = await receive();
    const id = await missed(receiver, 60);
    const { id: replayId } = await replay(id, { statuses: ["skipped"] }, { per_second: 50 });
    await until(async () => receiver.received.length > 0);
    const { body } = await change(replayId, { state: "paused" });
    expect(body).toMatchObject({ state: "paused", reason: null, ended_at: null });
    await sleep(300);
    const sent = receiver.received.length;
    expect(sent).toBeLessThan(60);
    await sleep(500);
    expect(receiver.received.length).toBe(sent);
    expect(await progressOf(replayId)).toMatchObject({ state: "paused", delivered: sent, total: 60 });

    await change(replayId, { state: "running", per_second: 1000 });
    expect(await untilState(replayId, "done")).toMatchObject({ delivered: 60 });
    expect(new Set(idsAt(receiver)).size).toBe(60);
    expect(receiver.received).toHaveLength(60);
  });

  test("canceled sends nothing more, and its events may be replayed by another", async () => {
    work();
    const receiver = await receive();
    const id = await missed(receiver, 40);
    const { id: replayId } = await replay(id, { statuses: ["skipped"] }, { per_second: 20 });
    await until(async () => receiver.received.length > 0);
    await change(replayId, { state: "canceled" });
    const ended = await untilState(replayId, "canceled");
    expect(ended.delivered).toBe(receiver.received.length);
    expect(ended.delivered).toBeLessThan(40);
    await sleep(300);
    expect(receiver.received).toHaveLength(ended.delivered);
    expect((await change(replayId, { state: "running" })).body.error.code).toBe(2015);

    expect(await preview(id, { statuses: ["skipped"] })).toBe(40 - ended.delivered);
    await untilState((await replay(id, { statuses: ["skipped"] })).id, "done");
    expect(new Set(idsAt(receiver)).size).toBe(40);
  });

  test("canceled while an attempt hangs ends with it, and does not try again", async () => {
    work();
    const receiver = await receive(() => undefined);
    const id = await missed(receiver, 2);
    const { id: replayId } = await replay(id, { statuses: ["skipped"] }, { per_second: 1 });
    await until(async () => receiver.received.length === 1);
    const { body } = await change(replayId, { state: "canceled" });
    expect(body).toMatchObject({ state: "canceled", ended_at: null });
    expect(await untilState(replayId, "canceled")).toMatchObject({ delivered: 0, failed: 1 });
    expect(receiver.received).toHaveLength(1);
  });

  test("running when its subscription is paused pauses too, and says so; deleted, it is canceled", async () => {
    const receiver = await receive();
    const id = await missed(receiver, 5);
    const { id: replayId } = await replay(id, { statuses: ["skipped"] });
    await setActive(id, false);
    work();
    const paused = await until(async () => {
      const found = await progressOf(replayId);
      return found.state === "paused" && found;
    });
    expect(paused.reason).toContain("not active");
    expect((await change(replayId, { state: "running" })).body.error.code).toBe(2015);

    await setActive(id, true);
    await change(replayId, { state: "running", per_second: 1 });
    await until(async () => receiver.received.length > 0);
    await callApi(`DELETE /v3/webhook-subscriptions/${id}`, { token: bench.account.token });
    const canceled = await untilState(replayId, "canceled");
    expect(canceled.reason).toContain("deleted");
    const left = (await deliveriesOf(id)).filter(({ status }) => status === "waiting");
    expect(left).toEqual([]);
  });

  test("running keeps another of many events from its subscription, not one of a single delivery", async () => {
    const { id } = await subscribe("https://example.com/busy");
    await setActive(id, false);
    await emit(3);
    await setActive(id, true);
    await replay(id, { statuses: ["skipped"] });
    const { body } = await bench.developer.call(replaysRoute, {
      method: "POST",
      params: { subscriptionId: id },
      body: { filter: { statuses: ["skipped"] } },
    });
    expect(body.error.code).toBe(2015);
    const [delivery] = await deliveriesOf(id);
    expect((await replayOne(delivery?.id ?? "")).status).toBe(201);
  });
});
