import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EVENT_KINDS, EVENT_TYPES } from "@/lib/events/catalog/event-types";

const SOURCES = globSync("lib/**/*.ts", { exclude: (name) => /test|^events$|docs/.test(name) }).map((file) =>
  readFileSync(file, "utf8"),
);

// Receipts of messages and polls, and stickers on polls, build the event type from a variable.
const COMPOSED = /^(message|poll)\.(sent|delivered|read|failed|reaction\.added)$/;
const ROUTING = /^webhook_subscription\.routing_headers_(set|cleared)$/;

test("every event is emitted somewhere, or is marked as never sent", () => {
  const silent = EVENT_TYPES.filter(
    (type) =>
      !EVENT_KINDS[type].neverSent &&
      !COMPOSED.test(type) &&
      !ROUTING.test(type) &&
      !SOURCES.some((source) => source.includes(`"${type}"`)),
  );
  expect(silent).toEqual([]);
});

test("an event that is marked as never sent is emitted nowhere", () => {
  const emitted = EVENT_TYPES.filter(
    (type) => EVENT_KINDS[type].neverSent && SOURCES.some((source) => source.includes(`["${type}"]`)),
  );
  expect(emitted).toEqual([]);
});
