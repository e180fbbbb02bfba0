import { describe, expect, test } from "vitest";
import { BlockedTarget } from "@/lib/platform/guarded-fetch/guarded-connector";
import { TimedOut } from "@/lib/platform/guarded-fetch/safe-fetch";
import { RetryLadder } from "@/lib/platform/time/retry-ladder";
import {
  type AttemptError,
  attemptError,
  evaluateAttempt,
} from "@/lib/webhooks/deliveries/attempt/attempt-result";

const LADDER = RetryLadder.parse(undefined);

const NOTHING = {
  timing: null,
  request: null,
  responseHeaders: null,
  responseBody: null,
  retryAfterMs: null,
};

function state(attempt: number, waitedMs = 0) {
  return { attempt, waitedMs };
}

function result(statusCode: number | null, error: AttemptError | null = null) {
  return { ...NOTHING, startedAt: new Date(), latencyMs: 1, statusCode, error };
}

describe("an answer", () => {
  test.each([200, 201, 202, 204, 299])("%i delivers", (status) => {
    expect(evaluateAttempt(result(status), state(1), LADDER, 0.5)).toEqual({
      status: "delivered",
      retryInMs: null,
    });
  });

  test.each([500, 502, 503, 504, 599, 429])("%i is tried again", (status) => {
    expect(evaluateAttempt(result(status), state(1), LADDER, 0.5)).toEqual({
      status: "waiting",
      retryInMs: 2000,
    });
  });

  test.each([301, 302, 307, 308, 304, 400, 401, 403, 404, 408, 410, 413, 422])("%i is final", (status) => {
    expect(evaluateAttempt(result(status), state(1), LADDER, 0.5)).toEqual({
      status: "failed",
      retryInMs: null,
    });
  });

  test("the eleventh attempt is the last whatever came back", () => {
    expect(evaluateAttempt(result(500), state(10), LADDER, 0.5)).toEqual({
      status: "waiting",
      retryInMs: 600_000,
    });
    expect(evaluateAttempt(result(500), state(11), LADDER, 0.5)).toEqual({
      status: "failed",
      retryInMs: null,
    });
    expect(evaluateAttempt(result(200), state(11), LADDER, 0.5)).toEqual({
      status: "delivered",
      retryInMs: null,
    });
  });
});

describe("no answer", () => {
  test.each<[AttemptError, string]>([
    ["timeout", "waiting"],
    ["refused", "waiting"],
    ["reset", "waiting"],
    ["tls", "waiting"],
    ["network", "waiting"],
    ["internal", "waiting"],
    ["dns", "failed"],
    ["dns_unavailable", "waiting"],
    ["private_target", "failed"],
    ["invalid_target", "failed"],
    ["not_in_version", "skipped"],
  ])("%s leaves the delivery %s", (error, status) => {
    expect(evaluateAttempt(result(null, error), state(1), LADDER, 0.5).status).toBe(status);
  });

  test.each<[string, unknown, AttemptError]>([
    ["a blocked target", new BlockedTarget(), "private_target"],
    ["silence", new TimedOut(10), "timeout"],
    ["ECONNREFUSED", withCode("ECONNREFUSED"), "refused"],
    [
      "a refusal on every address",
      Object.assign(new AggregateError([]), { code: "ECONNREFUSED" }),
      "refused",
    ],
    ["ECONNRESET", withCode("ECONNRESET"), "reset"],
    ["a socket closed early", withCode("UND_ERR_SOCKET"), "reset"],
    ["an unknown name", withCode("ENOTFOUND"), "dns"],
    ["a name without an address", withCode("ENODATA"), "dns"],
    ["an invalid host name", withCode("ERR_INVALID_URL"), "invalid_target"],
    ["a resolver that does not answer", withCode("EAI_AGAIN"), "dns_unavailable"],
    ["a resolver that fails", withCode("EAI_FAIL"), "dns_unavailable"],
    ["SERVFAIL", withCode("ESERVFAIL"), "dns_unavailable"],
    ["a silent name server", withCode("ETIMEOUT"), "dns_unavailable"],
    ["an expired certificate", withCode("CERT_HAS_EXPIRED"), "tls"],
    ["a certificate for another host", withCode("ERR_TLS_CERT_ALTNAME_INVALID"), "tls"],
    ["a self-signed certificate", withCode("DEPTH_ZERO_SELF_SIGNED_CERT"), "tls"],
    ["no route", withCode("EHOSTUNREACH"), "network"],
    ["an answer that is not HTTP", withCode("HPE_INVALID_CONSTANT"), "network"],
    ["a thrown text", "oops", "network"],
  ])("%s is recorded as its kind", (_what, thrown, kind) => {
    expect(attemptError(thrown)).toBe(kind);
  });
});

function withCode(code: string): Error {
  return Object.assign(new Error(code), { code });
}
