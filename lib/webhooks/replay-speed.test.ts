import "@/lib/testing/use-test-database";

import { describe, expect, test } from "vitest";
import { now, setClock } from "@/lib/platform/clock";
import { sql } from "@/lib/platform/db";
import { newId } from "@/lib/platform/ids";
import { replayBench } from "@/lib/testing/replay-bench";
import { releaseReplays } from "@/lib/webhooks/release-replays";

const bench = replayBench();
const { subscribe, setActive, emit, replay, change } = bench;

describe("speed", () => {
  /** Looks at the replays as the worker does, `times` times in the course of `seconds`; how many events each let go. */
  async function look(seconds: number, times: number): Promise<number> {
    let released = 0;
    for (let time = 1; time <= times; time++) {
      setClock({ offsetMs: 0, frozenAt: new Date(now().getTime() + (seconds * 1000) / times) });
      for (const replayed of await releaseReplays(now(), 20)) released += replayed.released;
      // The receiver is quick: what was let go has been sent.
      await sql.query({
        text: `update webhook_deliveries set status = 'delivered', run_at = null, ended_at = $1
               where replay_id is not null and run_at is not null`,
        values: [now()],
      });
    }
    return released;
  }

  async function missed(count: number): Promise<string> {
    const { id } = await subscribe(`https://example.com/${newId(now().getTime())}`);
    await setActive(id, false);
    await emit(count);
    await setActive(id, true);
    return id;
  }

  test.each([
    [50, 10],
    [50, 100],
    [7, 40],
    [1, 40],
  ])("%i a second are let go when it is looked %i times a second", async (perSecond, times) => {
    setClock({ offsetMs: 0, frozenAt: now() });
    const id = await missed(perSecond * 5);
    await replay(id, { statuses: ["skipped"] }, { per_second: perSecond });
    const handful = Math.ceil(perSecond * 0.2);
    const inThree = await look(3, times * 3);
    expect(inThree).toBeGreaterThanOrEqual(perSecond * 3 - handful);
    expect(inThree).toBeLessThanOrEqual(perSecond * 3 + handful);
  });

  test("defaults to 50 per second and can be changed during the replay", async () => {
    setClock({ offsetMs: 0, frozenAt: now() });
    const id = await missed(400);
    const { id: replayId, per_second } = await replay(
      id,
      { statuses: ["skipped"] },
      { per_second: undefined },
    );
    expect(per_second).toBe(50);
    expect(await look(1, 10)).toBeLessThanOrEqual(60);
    expect((await change(replayId, { per_second: 200 })).body.per_second).toBe(200);
    expect(await look(1, 10)).toBeGreaterThan(150);
  });

  test("a worker that was away does not catch up in a burst", async () => {
    setClock({ offsetMs: 0, frozenAt: now() });
    await replay(await missed(300), { statuses: ["skipped"] }, { per_second: 50 });
    await look(0.2, 1);
    expect(await look(60, 1)).toBeLessThanOrEqual(10);
    expect(await look(0.4, 4)).toBeLessThanOrEqual(30);
  });

  test("an endpoint that falls behind gets further deliveries only after it has caught up", async () => {
    setClock({ offsetMs: 0, frozenAt: now() });
    const id = await missed(400);
    await replay(id, { statuses: ["skipped"] }, { per_second: 50 });
    let released = 0;
    for (let time = 0; time < 50; time++) {
      setClock({ offsetMs: 0, frozenAt: new Date(now().getTime() + 200) });
      for (const replayed of await releaseReplays(now(), 20)) released += replayed.released;
    }
    expect(released).toBe(100);
  });

  test("released events are emitted to streams as the internal event webhook.replayed", async () => {
    setClock({ offsetMs: 0, frozenAt: now() });
    const id = await missed(2);
    const { id: replayId } = await replay(id, { statuses: ["skipped"] });
    await look(1, 1);
    const emitted = await sql.query({
      text: `select account_id, internal, data from events
             where type = 'webhook.replayed' and data->>'replay_id' = $1 order by seq`,
      values: [replayId],
    });
    const seqs = await sql.query<{ event_seq: string }>({
      text: "select event_seq from webhook_deliveries where replay_id = $1 order by event_seq",
      values: [replayId],
    });
    expect(emitted).toEqual(
      seqs.map(({ event_seq }) => ({
        account_id: bench.account.ref.id,
        internal: true,
        data: { event_seq: Number(event_seq), replay_id: replayId, subscription_id: id },
      })),
    );
  });
});
