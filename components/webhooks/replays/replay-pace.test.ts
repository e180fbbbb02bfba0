import { expect, test } from "vitest";
import {
  addSample,
  deliveriesPerSecond,
  durationText,
  secondsLeft,
} from "@/components/webhooks/replays/replay-pace";
import type { WebhookReplay } from "@/lib/webhooks/replays/webhook-replay";

const REPLAY: WebhookReplay = {
  id: "019ab3c4-5d6e-7f80-9a1b-2c3d4e5f6071",
  subscription_id: "019ab3c4-5d6e-7f80-9a1b-2c3d4e5f6072",
  selection: { filter: { statuses: ["failed"], types: [] } },
  state: "running",
  reason: null,
  per_second: 50,
  total: 1000,
  delivered: 90,
  failed: 10,
  skipped: 0,
  retrying: 0,
  created_by: null,
  created_at: "2026-11-21T10:00:00.000Z",
  ended_at: null,
};

test("the pace is what ended in the last fifteen seconds", () => {
  const samples = [0, 10, 20, 30].reduce(
    (before: { atMs: number; ended: number }[], second) =>
      addSample(before, { atMs: second * 1000, ended: second < 20 ? 0 : (second - 20) * 40 }),
    [],
  );

  expect(samples.map(({ atMs }) => atMs)).toEqual([20_000, 30_000]);
  expect(deliveriesPerSecond(samples)).toBe(40);
  expect(deliveriesPerSecond(samples.slice(1))).toBeNull();
});

test("the time left follows from the current rate, capped at the replay's speed; a stalled replay has none", () => {
  expect(secondsLeft(REPLAY, 30)).toBe(30);
  expect(secondsLeft(REPLAY, null)).toBe(18);
  expect(secondsLeft(REPLAY, 500)).toBe(18);
  expect(secondsLeft(REPLAY, 0)).toBeNull();
});

test("durations are formatted with a suitable precision", () => {
  expect([59, 90, 7500].map(durationText)).toEqual(["59 sec", "2 min", "2 hr 5 min"]);
});
