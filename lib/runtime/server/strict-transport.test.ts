import "@/lib/testing/use-test-database";

import { get } from "node:http";
import { afterEach, expect, test } from "vitest";
import { reloadEnv } from "@/lib/platform/env";
import { serveApi } from "@/lib/testing/serve-api";

const SETTINGS = ["BASE_URL", "DASHBOARD_URL"] as const;
const before = SETTINGS.map((name) => [name, process.env[name]] as const);

afterEach(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  reloadEnv();
});

/** The Strict-Transport-Security headers of the API, the dashboard's API, a page and /health, for one Host. */
async function strictTransportHeaders(host: string, settings: Record<string, string>): Promise<unknown[]> {
  Object.assign(process.env, settings);
  reloadEnv();
  const api = await serveApi();
  const sendRequest = (path: string) =>
    new Promise<unknown>((resolve, reject) => {
      const asking = get(`${api.baseUrl}${path}`, { headers: { host }, agent: false }, (response) => {
        response.resume().once("end", () => resolve(response.headers["strict-transport-security"]));
      });
      asking.once("error", reject);
    });
  try {
    return await Promise.all(["/v3/chats", "/api/chats", "/chats", "/health"].map(sendRequest));
  } finally {
    await api.close();
  }
}

const YEAR = "max-age=31536000";

test("an instance on https tells browsers to stay there, on every path", async () => {
  const heard = await strictTransportHeaders("api.trunkline.test", {
    BASE_URL: "https://api.trunkline.test",
  });
  expect(heard).toEqual([YEAR, YEAR, YEAR, YEAR]);
});

test("an instance on http does not", async () => {
  const heard = await strictTransportHeaders("api.trunkline.test", { BASE_URL: "http://api.trunkline.test" });
  expect(heard).toEqual([undefined, undefined, undefined, undefined]);
});

test("each host gets what its own URL says", async () => {
  const settings = { BASE_URL: "http://api.trunkline.test", DASHBOARD_URL: "https://desk.trunkline.test" };
  expect(await strictTransportHeaders("desk.trunkline.test", settings)).toEqual([YEAR, YEAR, YEAR, YEAR]);
  expect(await strictTransportHeaders("api.trunkline.test", settings)).toEqual(Array(4).fill(undefined));
});
