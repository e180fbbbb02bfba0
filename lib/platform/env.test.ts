import { afterEach, expect, test } from "vitest";
import { baseUrl, env, reloadEnv, requireValidSettings } from "@/lib/platform/env";

const before = { ...process.env };

afterEach(() => {
  process.env = { ...before };
  reloadEnv();
});

/** Parses the configuration with these settings, and without a BASE_URL. */
function configure(settings: Record<string, string>): void {
  delete process.env.BASE_URL;
  Object.assign(process.env, { PORT: "3000", ...settings });
  reloadEnv();
}

test.each([
  ["localhost", "localhost", "http://localhost:3000"],
  ["", "localhost", "http://localhost:3000"],
  ["127.0.0.1", "127.0.0.1", "http://127.0.0.1:3000"],
  ["::1", "::1", "http://[::1]:3000"],
  ["[::1]", "::1", "http://[::1]:3000"],
  ["fd00::5", "fd00::5", "http://[fd00::5]:3000"],
  ["0.0.0.0", "0.0.0.0", "http://localhost:3000"],
  ["::", "::", "http://localhost:3000"],
  ["[::]", "::", "http://localhost:3000"],
])("HOST=%s listens on %s, and links lead to %s", (host, listens, url) => {
  configure({ HOST: host });
  expect([env().HOST, baseUrl()]).toEqual([listens, url]);
});

test.each<[Record<string, string>, RegExp]>([
  [{ HOST: "fe80::1%eth0" }, /HOST: .*set BASE_URL/],
  [{ BASE_URL: "https://example.com/trunkline" }, /BASE_URL: must be a URL without a path/],
  [{ BASE_URL: "https://example.com/?a" }, /BASE_URL: must be a URL without a path/],
  [{ DASHBOARD_URL: "https://example.com/desk/" }, /DASHBOARD_URL: must be a URL without a path/],
])("%j is refused in a sentence that names the setting", (settings, reason) => {
  configure(settings);
  expect(() => env()).toThrow(reason);
});

test.each<[Record<string, string>]>([
  [{ BASE_URL: "https://example.com/" }],
  [{ BASE_URL: "https://example.com/trunkline", DASHBOARD: "off" }],
  [{ HOST: "fe80::1%eth0", BASE_URL: "https://example.com" }],
])("%j is accepted", (settings) => {
  configure(settings);
  expect(() => env()).not.toThrow();
});

test.each(["abc", "0", "-1", "70000", "30.5", " 3000x"])(
  "PORT=%s is refused with its name before the database and its key are known",
  (port) => {
    const source = { NODE_ENV: "test" as const, PORT: port, DATABASE_URL: "" };
    expect(() => requireValidSettings(source)).toThrow(
      "The configuration is invalid:\n  PORT: must be a port from 1 to 65535",
    );
  },
);

test("an empty PORT is the default, and a valid configuration needs neither database nor key", () => {
  configure({ PORT: "" });
  expect(env().PORT).toBe(3000);
  requireValidSettings({ NODE_ENV: "test", HOST: " 127.0.0.1 " });
});
