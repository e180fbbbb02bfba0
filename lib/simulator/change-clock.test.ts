import "@/lib/testing/use-test-database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { now, setClock } from "@/lib/platform/clock";
import { followClock } from "@/lib/platform/follow-clock";
import { onWake, wake } from "@/lib/platform/wake";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { until } from "@/lib/testing/factories";

process.env.CLOCK_CONTROL = "1";

const HOUR_SECONDS = 3600;
let account: TestAccount;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});
afterAll(() => setClock(null));

const change = (body: object) => callApi("PUT /simulator/clock", { token: account.token, body });

function expectNear(at: Date, expectedMs: number): void {
  expect(Math.abs(at.getTime() - expectedMs)).toBeLessThan(5000);
}

test("the clock is advanced, frozen, advanced while frozen, let go from there, and reset", async () => {
  const advanced = await change({ advance_seconds: HOUR_SECONDS });
  expect(advanced).toMatchObject({ status: 200, body: { frozen: false } });
  expectNear(now(), Date.now() + HOUR_SECONDS * 1000);

  const frozen = await change({ frozen: true });
  expect(frozen.body.frozen).toBe(true);
  const stood = now();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(now()).toEqual(stood);

  await change({ advance_seconds: HOUR_SECONDS });
  expect(now().getTime()).toBe(stood.getTime() + HOUR_SECONDS * 1000);

  await change({ frozen: false });
  expectNear(now(), Date.now() + 2 * HOUR_SECONDS * 1000);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(now().getTime()).toBeGreaterThan(stood.getTime() + HOUR_SECONDS * 1000);

  const reset = await change({ reset: true });
  expect(reset.body).toMatchObject({ frozen: false, offset_ms: expect.any(Number) });
  expectNear(now(), Date.now());
});

test("every process follows, and what may be due is woken", async () => {
  const leave = await followClock();
  await change({ advance_seconds: HOUR_SECONDS });
  let woken = 0;
  const unsubscribe = onWake("messages", () => woken++);
  // As another process that was told: its own clock is still the real one.
  setClock(null);
  wake("clock");
  await until(async () => woken > 0);
  expectNear(now(), Date.now() + HOUR_SECONDS * 1000);
  unsubscribe();
  await leave();
  await change({ reset: true });
});

test.each([{}, { advance_seconds: -1 }, { reset: false }, { frozen: "yes" }])(
  "%j is refused",
  async (body) => {
    expect((await change(body)).status).toBe(400);
  },
);
