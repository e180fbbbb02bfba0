import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writePrivateFile } from "@/lib/platform/postgres/private-file";
import { type FirstRun, firstRunFile } from "@/lib/runtime/server/start/first-run";
import { welcomeText } from "@/lib/runtime/server/start/startup-banner";

const URL = "http://localhost:3000";
const FIRST_RUN: FirstRun = {
  base_url: URL,
  token: "tl_sandbox_secret",
  line: "+15550100001",
  rcs_line: "+15550100002",
  phone: "+15550100101",
  admin: { email: "admin@trunkline.local", password: "hunter2" },
  is_complete: true,
};
let dataDir: string;

beforeAll(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "trunkline-banner-"));
  writePrivateFile(firstRunFile(dataDir), JSON.stringify(FIRST_RUN));
});

afterAll(() => rmSync(dataDir, { recursive: true }));

test("the start that makes the demo shows its credentials and a command that sends a message", () => {
  const text = welcomeText(dataDir, URL, { showCredentials: true, dashboard: "on" });

  expect(text).toContain("hunter2");
  expect(text).toContain("Authorization: Bearer tl_sandbox_secret");
});

test("every other start names the file in place of the password and the token", () => {
  const text = welcomeText(dataDir, URL, { showCredentials: false, dashboard: "on" });

  expect(text).not.toMatch(/hunter2|tl_sandbox_secret/);
  expect(text).toContain(firstRunFile(dataDir));
  expect(text).toContain("admin@trunkline.local");
});

test("an instance without a demo names its address only", () => {
  const none = path.join(dataDir, "none");
  expect(welcomeText(none, URL, { showCredentials: true, dashboard: "on" }).trim().split("\n")).toHaveLength(
    3,
  );
});

test.each(["", '{"base_url": "http', "{}", "null"])(
  "a damaged file (%j) is named, and the start goes on",
  (text) => {
    const damaged = mkdtempSync(path.join(dataDir, "damaged-"));
    writePrivateFile(firstRunFile(damaged), text);
    const banner = welcomeText(damaged, URL, { showCredentials: true, dashboard: "on" });
    expect(banner).toContain(`${firstRunFile(damaged)} is damaged`);
    expect(banner).toContain("Trunkline is ready");
  },
);

test("an instance says when its dashboard is still being built, and shows the API's URL without a dashboard", () => {
  const building = welcomeText(dataDir, URL, { showCredentials: false, dashboard: "build" });
  expect(building).toMatch(/Dashboard +http:\/\/localhost:3000 \(being built: .*the API is ready\)/);

  const without = welcomeText(dataDir, URL, { showCredentials: false, dashboard: "off" });
  expect(without).toMatch(/API +http:\/\/localhost:3000\/v3/);
  expect(without).not.toContain("Dashboard");
});
