import { expect, test } from "vitest";
import { stateOfConsumer } from "@/components/webhooks/consumers/consumer-state";
import { lagText } from "@/components/webhooks/consumers/lag-text";

test("a consumer is up to date only with a recent poll and a lag that was counted to the end of the log", () => {
  const at = Date.parse("2026-03-01T12:00:00.000Z");
  const lag = { events: 0, oldest_at: null };
  const polling = {
    has_expired_events: false,
    leased_until: null,
    lag,
    last_polled_at: "2026-03-01T11:59:30.000Z",
  };
  expect(stateOfConsumer(polling, at)).toBe("current");
  expect(stateOfConsumer({ ...polling, last_polled_at: "2026-03-01T11:00:00.000Z" }, at)).toBe("idle");
  expect(stateOfConsumer({ ...polling, last_polled_at: null }, at)).toBe("unused");
  expect(stateOfConsumer({ ...polling, lag: { ...lag, is_partial: true } }, at)).toBe("behind");
  expect(stateOfConsumer({ ...polling, lag: { ...lag, events: 1 } }, at)).toBe("behind");
  expect(stateOfConsumer({ ...polling, leased_until: "2026-03-01T12:00:30.000Z" }, at)).toBe("leased");
  expect(stateOfConsumer({ ...polling, has_expired_events: true }, at)).toBe("lost");
});

test("a lag that was not counted to the end of the log is a lower bound", () => {
  expect(lagText({ events: 1200, oldest_at: null })).toBe("1,200");
  expect(lagText({ events: 200, oldest_at: null, is_partial: true })).toBe("At least 200");
});
