import "@/lib/testing/capture-log";

import { expect, test } from "vitest";
import { inScope, newScope } from "@/lib/platform/database/database-scope";
import { ApiError } from "@/lib/platform/errors/errors";
import { explainOutage } from "@/lib/runtime/http/explain-outage";

const DEADLOCK = Object.assign(new Error("deadlock detected"), { code: "40P01" });

function explain(thrown: unknown, { method = "POST", input = {}, mayHaveWritten = false } = {}): unknown {
  const request = new Request("http://127.0.0.1/v3/chats", { method });
  const failed = { request, traceId: "trace", input };
  return inScope({ ...newScope(), mayHaveWritten }, () => explainOutage(thrown, failed));
}

function answerOf(explained: unknown) {
  if (!(explained instanceof ApiError)) return null;
  return { ...explained.row, after: explained.retryAfterSeconds };
}

test("a request whose transaction ended in a deadlock can be repeated after a second", () => {
  const repeatable = { status: 503, code: 4004, retry: "later", after: 1 };
  const keyed = { body: { idempotency_key: "key" } };
  expect(answerOf(explain(DEADLOCK))).toMatchObject(repeatable);
  expect(answerOf(explain(DEADLOCK, { method: "GET", mayHaveWritten: true }))).toMatchObject(repeatable);
  expect(answerOf(explain(DEADLOCK, { input: keyed, mayHaveWritten: true }))).toMatchObject(repeatable);
});

test("a request that stored a change before its deadlock must not be repeated without a look", () => {
  expect(answerOf(explain(DEADLOCK, { mayHaveWritten: true }))).toMatchObject({
    status: 503,
    retry: "never",
  });
});

test("any other error is returned unchanged", () => {
  const error = Object.assign(new Error("duplicate key"), { code: "23505" });
  expect(explain(error)).toBe(error);
});
