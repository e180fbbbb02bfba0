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

test("docs/webhooks.md names every event, and no other", () => {
  const guide = readFileSync(new URL("../../../docs/webhooks.md", import.meta.url), "utf8");
  const [, section = ""] = guide.split("### Events\n");
  const [list = ""] = section.split("### Versions\n");
  const named = [...list.matchAll(/`([a-z_]+(?:\.[a-z_]+)+)`/g)].map(([, name]) => name);
  const events = new Set(named.filter((name) => !["actor.type", "openapi.json"].includes(name ?? "")));
  expect([...events].sort()).toEqual([...EVENT_TYPES].sort());
});

test("docs/webhooks.md names the reserved events, and no other event as reserved", () => {
  const guide = readFileSync(new URL("../../../docs/webhooks.md", import.meta.url), "utf8");
  const [, reserved = ""] = /^\*\*Reserved\.\*\* (.*)$/m.exec(guide) ?? [];
  const named = [...reserved.matchAll(/`([a-z_.]+)`/g)].map(([, name]) => name);
  expect(named.sort()).toEqual(EVENT_TYPES.filter((type) => EVENT_KINDS[type].neverSent).sort());
});
