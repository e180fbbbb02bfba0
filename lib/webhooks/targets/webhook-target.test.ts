import { beforeAll, describe, expect, test } from "vitest";
import type { AccountRef } from "@/lib/platform/context";
import { ApiError } from "@/lib/platform/errors/errors";
import { hostileTargets } from "@/lib/testing/samples/hostile-targets";
import { checkTarget, webhookVersion } from "@/lib/webhooks/targets/webhook-target";

const sandbox: AccountRef = { id: "a", partnerId: "p", type: "sandbox" };
const production: AccountRef = { ...sandbox, type: "production" };

beforeAll(() => {
  process.env.DATABASE_URL ??= "postgresql://unused/unused";
  process.env.ENCRYPTION_KEY ??= "unused";
  process.env.WEBHOOK_ALLOW_PRIVATE = "hooks.internal, 10.20.0.0/16, [fd12::1]";
});

function refusal(account: AccountRef, targetUrl: string): string | null {
  try {
    checkTarget(account, targetUrl);
    return null;
  } catch (error) {
    if (error instanceof ApiError && error.row.code === 1005) return error.message;
    throw error;
  }
}

test.each(["https://hooks.example.com/a", "https://93.184.216.34:8443/a?b=c", "https://[2606:4700::1111]/"])(
  "%s is a target in either environment",
  (target) => {
    expect([refusal(sandbox, target), refusal(production, target)]).toEqual([null, null]);
  },
);

describe("private and plain targets", () => {
  const named = ["http://hooks.internal:8080/a", "http://10.20.3.4/a", "http://[fd12::1]/a"];

  test.each(named)("%s is named, so a sandbox may use it and production may not", (target) => {
    expect(refusal(sandbox, target)).toBeNull();
    expect(refusal(production, target)).toContain("must start with https://");
    expect(refusal(production, target.replace("http:", "https:"))).toBeNull();
  });

  test.each(hostileTargets(8080).map((target) => [JSON.stringify(target), target]))(
    "%s is refused",
    (_name, target) => {
      for (const account of [sandbox, production]) {
        expect(refusal(account, target)).not.toBeNull();
        expect(refusal(account, target.replace(/^http:/, "https:"))).not.toBeNull();
      }
    },
  );

  test("all private addresses are refused with the same words", () => {
    const targets = hostileTargets(8080).filter((target) => /^http:\/\/[^@\\\s/]+:8080\/hook$/.test(target));
    const words = targets.map((target) => refusal(production, target.replace("http:", "https:")));
    const parsable = words.filter((word) => !word?.endsWith("is not a URL"));
    expect(parsable.length).toBeGreaterThan(50);
    expect(new Set(parsable)).toEqual(
      new Set(["Invalid parameter value: target_url must resolve to a public address"]),
    );
  });
});

test.each([
  ["not a URL", "hooks.example.com", "is not a URL"],
  ["a space", "https://hooks.example.com/a b", "is not a URL"],
  ["a line break", "https://hooks.example.com/\r\nx", "is not a URL"],
  ["credentials", "https://me:secret@hooks.example.com/", "must not contain a user name or password"],
  ["another scheme", "ftp://hooks.example.com/", "must start with https://"],
  ["plain http", "http://hooks.example.com/", "must start with https://"],
  [
    "an unknown version",
    "https://hooks.example.com/?version=2024-01-01",
    "must be one of 2025-01-01, 2026-02-03",
  ],
])("a target with %s is refused", (_what, target, words) => {
  expect(refusal(sandbox, target)).toContain(words);
});

test("the version is that of the target, else the default of the account, and the oldest for those of before", () => {
  const before = new Date("2026-02-02T23:59:59Z");
  const since = new Date("2026-02-03T00:00:00Z");
  expect(webhookVersion("https://a.example/?version=2025-01-01", since, "2026-02-03")).toBe("2025-01-01");
  expect(webhookVersion("https://a.example/?version=2026-02-03", before, "2026-02-03")).toBe("2026-02-03");
  expect(webhookVersion("https://a.example/", before, "2026-02-03")).toBe("2025-01-01");
  expect(webhookVersion("https://a.example/", since, "2026-02-03")).toBe("2026-02-03");
  expect(webhookVersion("https://a.example/", since, "2025-01-01")).toBe("2025-01-01");
});
