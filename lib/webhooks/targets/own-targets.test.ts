import "@/lib/testing/use-test-database";
import { afterEach, expect, test } from "vitest";
import type { AccountRef } from "@/lib/platform/context";
import { checkTarget } from "@/lib/webhooks/targets/webhook-target";

const sandbox: AccountRef = { id: "a", partnerId: "p", type: "sandbox" };
const production: AccountRef = { ...sandbox, type: "production" };
const LOOPBACK = ["http://localhost:9000/hook", "http://127.0.0.1:9000/hook", "http://[::1]:9000/hook"];

const before = { ...process.env };

afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});

/** Whether an instance with these settings accepts a target. */
function acceptsTarget(settings: Record<string, string | undefined>, account: AccountRef, target: string) {
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  try {
    checkTarget(account, target);
    return true;
  } catch {
    return false;
  }
}

test.each(LOOPBACK)(
  "%s is a target by default in a sandbox of a loopback instance, and nowhere else",
  (target) => {
    const settings = { WEBHOOK_ALLOW_PRIVATE: undefined, WEBHOOK_SANDBOX_LOOPBACK: "1" };
    expect(acceptsTarget(settings, sandbox, target)).toBe(true);
    expect(acceptsTarget(settings, production, target.replace("http:", "https:"))).toBe(false);
    expect(acceptsTarget({ ...settings, WEBHOOK_SANDBOX_LOOPBACK: undefined }, sandbox, target)).toBe(false);
  },
);

test("neither the service's own port nor PostgreSQL's is a target, whatever is allowed", async () => {
  const { port } = new URL(before.DATABASE_URL ?? process.env.DATABASE_URL ?? "");
  const settings = { WEBHOOK_ALLOW_PRIVATE: "localhost,127.0.0.0/8,10.0.0.0/8", PORT: "3456" };
  for (const host of ["localhost", "127.0.0.1", "127.9.9.9"]) {
    expect(acceptsTarget(settings, sandbox, `http://${host}:3456/`)).toBe(false);
    expect(acceptsTarget(settings, sandbox, `http://${host}:${port}/`)).toBe(false);
    expect(acceptsTarget(settings, sandbox, `http://${host}:3457/`)).toBe(true);
  }
  expect(acceptsTarget(settings, sandbox, `http://10.1.2.3:${port}/`)).toBe(false);
  expect(acceptsTarget(settings, sandbox, "http://10.1.2.3:3456/")).toBe(true);
});

test("a name that leads to the service's own port is not connected to", async () => {
  const { guardedAgent } = await import("@/lib/platform/guarded-fetch/safe-fetch");
  const { BlockedTarget } = await import("@/lib/platform/guarded-fetch/guarded-connector");
  const { parseAllowList } = await import("@/lib/platform/guarded-fetch/target-rules");
  const { env } = await import("@/lib/platform/env");
  const agent = guardedAgent({
    allow: parseAllowList(["127.0.0.1"]),
    connectionsPerOrigin: 1,
    connectTimeoutMs: 1000,
    resolve: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]),
  });
  const ask = agent.request({ origin: `http://hooks.example.com:${env().PORT}`, path: "/", method: "GET" });
  await expect(ask).rejects.toBeInstanceOf(BlockedTarget);
  await agent.close();
});
