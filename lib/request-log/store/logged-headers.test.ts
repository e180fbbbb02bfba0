import { expect, test } from "vitest";
import { toLoggedHeaders, toStoredHeaders } from "@/lib/request-log/store/logged-headers";

const JSON_BODY = { "content-type": "application/json" };

test.each([
  ["of JSON", { request: JSON_BODY, answer: {} }],
  ["none", { request: {}, answer: {} }],
  ["of another type", { request: { "content-type": "text/plain" }, answer: {} }],
  ["more", { request: { ...JSON_BODY, "idempotency-key": "k" }, answer: {} }],
  ["of a response", { request: JSON_BODY, answer: { "retry-after": "1" } }],
])("headers are read as they were logged: %s", (_case, headers) => {
  const stored = toStoredHeaders(headers);
  expect(toLoggedHeaders(stored === null ? null : JSON.parse(stored))).toEqual(headers);
});

test("the usual headers take no space, and the empty side of others neither", () => {
  expect(toStoredHeaders({ request: JSON_BODY, answer: {} })).toBeNull();
  expect(toStoredHeaders({ request: {}, answer: {} })).toBe("{}");
});
