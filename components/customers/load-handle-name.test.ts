import { afterEach, expect, test, vi } from "vitest";
import { loadHandleName } from "@/components/customers/load-handle-name";
import { toBatches } from "@/lib/client/load-together";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("handles that are shown together share one request", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(url);
    return Response.json({ names: [{ handle: "+15550100101", name: "Ana" }] });
  });
  const names = await Promise.all([
    loadHandleName("+15550100101"),
    loadHandleName("ben@example.com"),
    loadHandleName("+15550100101"),
  ]);
  expect(names).toEqual(["Ana", null, "Ana"]);
  expect(asked).toHaveLength(1);
});

test("a failed request fails for each of its handles, and the next one is asked anew", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ error: {} }, { status: 500 }));
  const both = await Promise.allSettled([loadHandleName("+15550100101"), loadHandleName("+15550100102")]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  vi.stubGlobal("fetch", async () => Response.json({ names: [] }));
  expect(await loadHandleName("+15550100101")).toBeNull();
});

test("requests keep to 100 keys and 4,000 characters", () => {
  const numbers = Array.from({ length: 250 }, (_, index) => `+1555010${String(index).padStart(4, "0")}`);
  expect(toBatches(numbers).map(({ length }) => length)).toEqual([100, 100, 50]);
  const mails = Array.from({ length: 40 }, (_, index) => `${"a".repeat(200)}${index}@example.com`);
  const batches = toBatches(mails);
  expect(batches.flat()).toEqual(mails);
  for (const batch of batches) expect(batch.join(",").length).toBeLessThanOrEqual(4000);
  expect(toBatches([])).toEqual([]);
});
