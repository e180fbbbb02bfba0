import { expect, test } from "vitest";
import { readDeliveryFilter, subjectOf, toDeliveryQuery } from "@/components/webhooks/delivery-filter";

test("an address becomes a filter: repeated values count once, unknown and empty ones not at all", () => {
  const filter = readDeliveryFilter({ status: ["failed", "skipped"], types: "", chat: "c", colour: "red" });

  expect(filter).toEqual({ status: "failed", chat: "c" });
  expect(subjectOf(filter)).toEqual({ kind: "chat", id: "c" });
});

test("a filter is asked for by the names of the API, and a time that cannot be read is not", () => {
  const query = toDeliveryQuery({ from: "2026-11-21T10:00Z", to: "yesterday", replay: "r", response: "500" });

  expect(query).toMatchObject({ from: "2026-11-21T10:00:00.000Z", replay_id: "r", response: "500" });
  expect(query.to).toBeUndefined();
});
