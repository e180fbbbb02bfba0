import "@/lib/testing/use-test-database";

import { afterEach, describe, expect, test } from "vitest";
import { routes } from "@/.generated/route-table";
import * as stream from "@/app/api/events/stream/route";
import { dashboardUrl, env, reloadEnv } from "@/lib/platform/env";
import { fileResponse } from "@/lib/runtime/http/file-response";
import { operationsOf } from "@/lib/runtime/openapi/operations";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { signInAs } from "@/lib/testing/sign-in/sign-in-as";

const simulator = operationsOf(routes).filter(({ path }) => path.startsWith("/simulator/"));

test("no operation of the simulator answers a production account", async () => {
  expect(simulator.length).toBeGreaterThan(20);
  const { token } = await createTestAccount({ type: "production" });
  for (const { method, path, contract } of simulator) {
    const url = path.replace(/\{\w+\}/g, "+15550199999");
    const body = contract.body === undefined ? undefined : {};
    const answer = await callApi(`${method} ${url}`, { token, body });
    expect([method, path, answer.status, answer.body.error.code]).toEqual([method, path, 403, 2011]);
  }
});

describe("a file of a customer that can carry scripts", () => {
  const kept = env().CDN_URL;
  afterEach(() => setCdn(kept));

  function setCdn(url: string | undefined): void {
    if (url === undefined) delete process.env.CDN_URL;
    else process.env.CDN_URL = url;
    reloadEnv();
  }

  async function disposition(host: string | null, contentType: string): Promise<string | undefined> {
    const request = new Request("http://any.example/file", { headers: host === null ? {} : { host } });
    const read = async () => (async function* () {})();
    const file = { id: "f", filename: "file", contentType, sizeBytes: 0, read };
    return (await fileResponse(request, file)).headers.get("content-disposition")?.split(";")[0];
  }

  const { host, hostname, port } = new URL(dashboardUrl());
  const DASHBOARD_HOSTS = [
    ["the dashboard's host", host],
    ["its name in capitals", host.toUpperCase()],
    ["its name with a final dot", `${hostname}.:${port}`],
    ["its address", `127.0.0.1:${port}`],
    ["any name that leads to the instance", "elsewhere.example"],
    ["the host of files, as a part of another", "cdn.example.evil.example"],
    ["no host", null],
  ] as const;

  test.each(DASHBOARD_HOSTS)("is saved, not shown, on %s", async (_what, asked) => {
    for (const cdn of [undefined, "https://cdn.example"]) {
      setCdn(cdn);
      expect(await disposition(asked, "text/html")).toBe("attachment");
      expect(await disposition(asked, "image/svg+xml")).toBe("attachment");
      expect(await disposition(asked, "image/png")).toBe("inline");
    }
  });

  test("is shown on a host that serves files alone", async () => {
    setCdn("https://cdn.example");
    expect(await disposition("cdn.example", "text/html")).toBe("inline");
    expect(await disposition("CDN.example", "image/svg+xml")).toBe("inline");
  });

  test("is saved where CDN_URL is another port of the dashboard's host", async () => {
    setCdn(`http://${hostname}:9`);
    expect(await disposition(`${hostname}:9`, "text/html")).toBe("attachment");
  });
});

test("a user has as many event streams at a time as an account's tokens, and gets the places back", async () => {
  const user = await signInAs(await createTestAccount({ type: "sandbox" }), "viewer");
  const { origin } = new URL(dashboardUrl());
  const open = async () => {
    const leaving = new AbortController();
    const request = new Request(`${origin}/api/events/stream`, {
      headers: { cookie: user.cookie, origin },
      signal: leaving.signal,
    });
    const response = await stream.GET(request, { params: Promise.resolve({}) });
    const leave = async () => {
      leaving.abort();
      await response.body?.cancel().catch(() => undefined);
    };
    return { status: response.status, leave };
  };

  const opened = [];
  for (let at = 0; at < env().STREAMS_PER_ACCOUNT; at++) opened.push(await open());
  expect(opened.every(({ status }) => status === 200)).toBe(true);
  expect((await open()).status).toBe(429);

  await opened[0]?.leave();
  const again = await open();
  expect(again.status).toBe(200);
  await Promise.all([...opened.slice(1), again].map(({ leave }) => leave()));
});
