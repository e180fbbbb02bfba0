import "@/lib/testing/use-test-database";

import { describe, expect, test } from "vitest";
import { POST as previewRoute } from "@/app/api/webhooks/[subscriptionId]/replays/preview/route";
import { POST as replaysRoute } from "@/app/api/webhooks/[subscriptionId]/replays/route";
import { GET as getRoute } from "@/app/api/webhooks/replays/[replayId]/route";
import { GET as listRoute } from "@/app/api/webhooks/replays/route";
import { setClock } from "@/lib/platform/clock";
import { sql } from "@/lib/platform/db";
import { countStatements } from "@/lib/testing/count-statements";
import { replayBench } from "@/lib/testing/replay-bench";
import { signInAs } from "@/lib/testing/sign-in-as";
import { sweepReplays } from "@/lib/webhooks/sweep-replays";
import type { WebhookReplay } from "@/lib/webhooks/webhook-replay";

const bench = replayBench();
const { work, subscribe, setActive, emit, deliveriesOf, replay, replayOne, progressOf, change, untilState } =
  bench;

describe("who", () => {
  test("may replay: admins and developers; support and viewers look on", async () => {
    const { id } = await subscribe("https://example.com/roles");
    await setActive(id, false);
    await emit(1);
    await setActive(id, true);
    const [delivery] = await deliveriesOf(id);
    const { id: replayId } = await replay(id, { statuses: ["skipped"] });
    const body = { filter: { statuses: ["skipped"] } };
    for (const role of ["support", "viewer"] as const) {
      const user = await signInAs(bench.account, role);
      const answers = [
        await user.call(replaysRoute, { method: "POST", params: { subscriptionId: id }, body }),
        await user.call(previewRoute, { method: "POST", params: { subscriptionId: id }, body }),
        await replayOne(delivery?.id ?? "", user),
        await change(replayId, { state: "canceled" }, user),
      ];
      for (const answer of answers) {
        expect({ status: answer.status, code: answer.body.error.code }).toEqual({ status: 403, code: 2005 });
      }
      expect((await user.call(getRoute, { params: { replayId } })).body).toMatchObject({ id: replayId });
    }
    const admin = await signInAs(bench.account, "admin");
    expect((await change(replayId, { state: "paused" }, admin)).status).toBe(200);
  });

  test("is of another account finds no replay, and no subscription", async () => {
    const { id } = await subscribe("https://example.com/ours");
    await setActive(id, false);
    await emit(1);
    await setActive(id, true);
    const { id: replayId } = await replay(id, { statuses: ["skipped"] });
    const stranger = await signInAs(bench.theirs, "admin");
    expect((await stranger.call(getRoute, { params: { replayId } })).status).toBe(404);
    expect((await change(replayId, { state: "canceled" }, stranger)).status).toBe(404);
    expect((await stranger.call(listRoute)).body.replays).toEqual([]);
    for (const route of [replaysRoute, previewRoute]) {
      const call = {
        method: "POST" as const,
        params: { subscriptionId: id },
        body: { filter: { statuses: ["skipped"] } },
      };
      expect((await stranger.call(route, call)).body.error.code).toBe(2005);
    }
  });

  test("did it is on record, with what was asked for", async () => {
    const { id } = await subscribe("https://example.com/audit");
    await setActive(id, false);
    await emit(2);
    await setActive(id, true);
    const { id: replayId } = await replay(id, { statuses: ["skipped"] });
    await change(replayId, { state: "canceled" });
    const entries = await sql.query({
      text: "select actor_id, action, detail from audit_entries where object_id = $1 order by id",
      values: [replayId],
    });
    expect(entries).toMatchObject([
      {
        actor_id: bench.developer.id,
        action: "webhook_replay.created",
        detail: { total: 2, filter: { statuses: ["skipped"] } },
      },
      { actor_id: bench.developer.id, action: "webhook_replay.updated", detail: { state: "canceled" } },
    ]);
  });
});

test("replays are listed newest first, in pages, in the same number of statements whatever the page's size", async () => {
  const { id } = await subscribe("https://example.com/many");
  await emit(1);
  const [delivery] = await deliveriesOf(id);
  const made: string[] = [];
  for (let count = 0; count < 7; count++) made.unshift((await replayOne(delivery?.id ?? "")).body.id);

  const list = async (query: Record<string, string>) =>
    (await bench.developer.call(listRoute, { query: { subscription_id: id, ...query } })).body;
  const first = await list({ limit: "5" });
  const second = await list({ limit: "5", cursor: first.next_cursor });
  const ids = [...first.replays, ...second.replays].map((one: WebhookReplay) => one.id);
  expect(ids).toEqual(made);
  expect(second.next_cursor).toBeNull();
  expect(await countStatements(() => list({ limit: "6" }))).toBe(
    await countStatements(() => list({ limit: "1" })),
  );
});

test("a replay goes with the events of its time; one that is paused for so long is canceled", async () => {
  const { id } = await subscribe("https://example.com/swept");
  await setActive(id, false);
  await emit(2);
  await setActive(id, true);
  const paused = await replay(id, { statuses: ["skipped"] });
  await change(paused.id, { state: "paused" });
  const [delivery] = await deliveriesOf(id);
  const { body: canceled } = await replayOne(delivery?.id ?? "");
  await change(canceled.id, { state: "canceled" });

  const in89Days = 89 * 86_400_000;
  setClock({ offsetMs: in89Days, frozenAt: null });
  await sweepReplays();
  expect(await progressOf(paused.id)).toMatchObject({ state: "paused" });
  expect(await progressOf(canceled.id)).toMatchObject({ state: "canceled" });

  setClock({ offsetMs: in89Days + 2 * 86_400_000, frozenAt: null });
  await sweepReplays();
  expect((await bench.developer.call(getRoute, { params: { replayId: canceled.id } })).status).toBe(404);
  work();
  expect((await untilState(paused.id, "canceled")).reason).toContain("longer than events are kept");
  expect((await deliveriesOf(id)).every(({ status }) => status !== "waiting")).toBe(true);
});
