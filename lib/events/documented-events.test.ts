import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EVENT_TYPES } from "@/lib/events/catalog";

test("docs/webhooks.md names every event, and no other", () => {
  const guide = readFileSync(new URL("../../docs/webhooks.md", import.meta.url), "utf8");
  const [, section = ""] = guide.split("### Events\n");
  const [list = ""] = section.split("### Versions\n");
  const named = [...list.matchAll(/`([a-z_]+(?:\.[a-z_]+)+)`/g)].map(([, name]) => name);
  const events = new Set(named.filter((name) => !["actor.type", "openapi.json"].includes(name ?? "")));
  expect([...events].sort()).toEqual([...EVENT_TYPES].sort());
});
