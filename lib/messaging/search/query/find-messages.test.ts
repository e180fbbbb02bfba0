import { afterEach, expect, test, vi } from "vitest";
import { findInSegments } from "@/lib/messaging/search/query/find-messages";
import type { Sql } from "@/lib/platform/database/db";

afterEach(() => {
  vi.restoreAllMocks();
});

test("a search of many segments has three seconds for all its statements together", async () => {
  let at = 1000;
  vi.spyOn(performance, "now").mockImplementation(() => at);
  const limits: unknown[] = [];
  let searched = 0;
  const tx = {
    run: async ({ name }: { name: string }, parameters: Readonly<Record<string, unknown>>) => {
      if (name === "segments-to-search")
        return Array.from({ length: 2000 }, (_, key) => ({
          key: String(key),
          after_at: null,
          before_at: null,
        }));
      if (name === "limit-rest-of-search") limits.push(parameters.ms);
      if (name === "find-messages-by-terms") {
        searched++;
        at += 700;
      }
      return [];
    },
  } as unknown as Sql;
  const conditions = { terms: "'§a'", senders: null, isFromMe: null, after: null, before: null };
  const place = { zone: "UTC", beforePosition: "9223372036854775807", limit: 31 };
  await expect(findInSegments(tx, "an account", { ...conditions, ...place })).rejects.toMatchObject({
    errorName: "parameter_invalid",
    message: expect.stringContaining("took longer than 3 seconds"),
  });
  expect(searched).toBe(5);
  expect(limits).toEqual(["2300", "1600", "900", "200"]);
});
