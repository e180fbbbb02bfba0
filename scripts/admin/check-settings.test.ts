import { expect, test } from "vitest";
import { checkSettings } from "@/scripts/admin/check-settings";

const SOUND = {
  ROLE: "web",
  HOST: "0.0.0.0",
  BASE_URL: "https://trunkline.example.com",
  TRUST_PROXY: "1",
  CLOCK_CONTROL: false,
  SEED_DEMO: false,
  METRICS_PORT: undefined,
} as const;

test("settings behind a proxy with TLS are ok", () => {
  expect(checkSettings(SOUND, { isExternal: true })).toMatchObject({ status: "ok" });
});

test.each([
  [{ BASE_URL: undefined }, true, "fail", "Set BASE_URL"],
  [{}, false, "fail", "ROLE=web needs DATABASE_URL"],
  [{ BASE_URL: "http://trunkline.example.com" }, true, "warn", "use https"],
  [{ TRUST_PROXY: "" }, true, "warn", "TRUST_PROXY is not set"],
  [{ CLOCK_CONTROL: true }, true, "warn", "CLOCK_CONTROL is on"],
  [{ SEED_DEMO: true }, true, "warn", "SEED_DEMO is on"],
  [{ ROLE: "worker" as const }, true, "warn", "METRICS_PORT is not set"],
])("%j with an own database %s: %s", (change, isExternal, status, detail) => {
  expect(checkSettings({ ...SOUND, ...change }, { isExternal })).toEqual({
    status,
    detail: expect.stringContaining(detail),
  });
});
