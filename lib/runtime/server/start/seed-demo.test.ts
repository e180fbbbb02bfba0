import "@/lib/testing/use-test-database";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { prisma, sql } from "@/lib/platform/database/db";
import { firstRunFile } from "@/lib/runtime/server/start/first-run";
import { callApi } from "@/lib/testing/call-api";

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
  const module = await import("@/lib/runtime/server/start/seed-demo");
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
  const cards = await prisma().contactCard.findMany({ where: { isActive: true } });
  const lines = await prisma().line.findMany();
  expect(cards.map(({ lineId }) => lineId).sort()).toEqual(lines.map(({ id }) => id).sort());
});

/** Makes PostgreSQL refuse a step of the demo for now, as if the process had ended there. */
async function refuse(timing: string, condition: string): Promise<void> {
  await sql.runText({
    text: `create function stop_demo() returns trigger language plpgsql as
           $$ begin if ${condition} then raise exception 'the process ended' using errcode = 'lock_not_available'; end if; return new; end $$`,
  });
  await sql.runText({ text: `create ${timing} for each row execute function stop_demo()` });
}

test.each([
  [
    "at the commit",
    "constraint trigger stop_demo after insert on api_tokens deferrable initially deferred",
    "true",
  ],
  ["before its phones", "trigger stop_demo before insert on simulator_phones", "true"],
  ["between its phones", "trigger stop_demo before insert on chats", "new.recipient_handle like '%102'"],
])("a first start that ends %s is completed by the next", async (_when, timing, condition) => {
  process.env.SEED_DEMO = "1";
  await prisma().partner.deleteMany();
  await prisma().user.deleteMany();
  const dataDir = mkdtempSync(path.join(tmpdir(), "trunkline-demo-"));
  vi.resetModules();
  const { seedDemo } = await import("@/lib/runtime/server/start/seed-demo");
  await refuse(timing, condition);
  await expect(seedDemo({ dataDir, postgres: null })).rejects.toThrow("the process ended");
  await sql.runText({ text: "drop function stop_demo cascade" });

  expect(await seedDemo({ dataDir, postgres: null })).toBe(true);
  expect(await seedDemo({ dataDir, postgres: null })).toBe(false);

  const { token, admin } = JSON.parse(readFileSync(firstRunFile(dataDir), "utf8"));
  expect((await callApi("GET /v3/phone_numbers", { token })).body.phone_numbers).toHaveLength(2);
  expect(await prisma().user.findMany()).toMatchObject([{ email: admin.email, isOperator: true }]);
  expect(await prisma().message.count()).toBe(2);
  rmSync(dataDir, { recursive: true });
});

test("processes that start together on an empty database create one demo, whole", async () => {
  process.env.SEED_DEMO = "1";
  await prisma().partner.deleteMany();
  await prisma().user.deleteMany();
  vi.resetModules();
  const { seedDemo } = await import("@/lib/runtime/server/start/seed-demo");
  const instance = { dataDir: process.env.DATA_DIR ?? "", postgres: null };
  const created = await Promise.all([seedDemo(instance), seedDemo(instance), seedDemo(instance)]);
  expect(created.filter(Boolean)).toHaveLength(1);
  expect(await prisma().partner.count()).toBe(1);
  expect(await prisma().line.count()).toBe(2);
});
