import { expect, test } from "vitest";
import { stateOfConsumer } from "@/components/webhooks/consumers/consumer-state";
import { lagText, lagWords } from "@/components/webhooks/consumers/lag-text";

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

test("a lag that was not counted to the end of the log is a lower bound, and says nothing of 0", () => {
  const textOf = (events: number, isPartial = false) => {
    const lag = { events, oldest_at: null, ...(isPartial && { is_partial: true }) };
    return [lagText(lag).text, lagWords(lag).text];
  };
  expect(textOf(0)).toEqual(["0", "0 events"]);
  expect(textOf(1)).toEqual(["1", "1 event"]);
  expect(textOf(1200)).toEqual(["1,200", "1,200 events"]);
  expect(textOf(200, true)).toEqual(["At least 200", "At least 200 events"]);
  expect(textOf(0, true)).toEqual(["Not counted", "Not counted"]);
  expect(lagText({ events: 0, oldest_at: null }).title).toBeUndefined();
  expect(lagText({ events: 0, oldest_at: null, is_partial: true }).title).toContain("more entries");
});
