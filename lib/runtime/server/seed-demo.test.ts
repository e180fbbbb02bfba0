import "@/lib/testing/use-test-database";
import { afterEach, expect, test, vi } from "vitest";
import { prisma } from "@/lib/platform/db";

afterEach(() => {
  delete process.env.HOST;
  delete process.env.SEED_DEMO;
  vi.restoreAllMocks();
});

/** Starts on an embedded database with this HOST. Returns the output and the number of partners. */
async function start(host: string, seedDemo?: string): Promise<{ said: string; partners: number }> {
  process.env.HOST = host;
  if (seedDemo !== undefined) process.env.SEED_DEMO = seedDemo;
  vi.resetModules();
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const module = await import("@/lib/runtime/server/seed-demo");
  const url = process.env.DATABASE_URL ?? "";
  const address = { url, adminUrl: url, pid: 0, directory: "" };
  const postgres = { ...address, fresh: true, shared: false, stop: () => Promise.resolve() };
  await module.seedDemo({ dataDir: process.env.DATA_DIR ?? "", postgres });
  const said = write.mock.calls.map(([text]) => String(text)).join("");
  write.mockRestore();
  return { said, partners: await prisma().partner.count() };
}

test("the demo is not made where others can reach HOST, and the start says so; SEED_DEMO=1 makes it", async () => {
  const refused = await start("0.0.0.0");
  expect(refused.partners).toBe(0);
  expect(refused.said).toContain(
    "No demo account was created, because HOST=0.0.0.0 is reachable from other machines.",
  );
  expect(refused.said).toContain("SEED_DEMO=1");

  expect(await start("0.0.0.0", "1")).toEqual({ said: "", partners: 1 });
});

test("processes that start together on an empty database create one demo, whole", async () => {
  process.env.SEED_DEMO = "1";
  await prisma().partner.deleteMany();
  await prisma().user.deleteMany();
  vi.resetModules();
  const { seedDemo } = await import("@/lib/runtime/server/seed-demo");
  const instance = { dataDir: process.env.DATA_DIR ?? "", postgres: null };
  const created = await Promise.all([seedDemo(instance), seedDemo(instance), seedDemo(instance)]);
  expect(created.filter(Boolean)).toHaveLength(1);
  expect(await prisma().partner.count()).toBe(1);
  expect(await prisma().line.count()).toBe(2);
});
