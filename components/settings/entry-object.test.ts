import { expect, test } from "vitest";
import { objectHref } from "@/components/settings/entry-object";

const entry = { object_id: "1", object: null, is_object_gone: false, detail: {} };

test.each([
  ["line", {}, "/lines/1"],
  ["line", { is_object_gone: true }, undefined],
  ["chat", {}, "/chats/1"],
  ["message", { detail: { chat_id: "2" } }, "/chats/2"],
  ["message", {}, undefined],
  ["handle", { object_id: "+15550100100" }, "/customers/+15550100100"],
  ["consumer", { object_id: "billing" }, "/webhooks/consumers/billing"],
  ["api_token", {}, "/tokens"],
  ["api_token", { object_id: null }, "/tokens"],
  ["simulator_snapshot", {}, undefined],
])("an object of the type %s with %j links to %s", (object_type, change, href) => {
  expect(objectHref({ ...entry, object_type, ...change })).toBe(href);
});
