import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import { routes } from "@/.generated/route-table";
import * as stream from "@/app/api/events/stream/route";
import { dashboardUrl, env } from "@/lib/platform/env";
import { fileResponse } from "@/lib/runtime/http/file-response";
import { operationsOf } from "@/lib/runtime/server/operations";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { signInAs } from "@/lib/testing/sign-in-as";

const simulator = operationsOf(routes).filter(({ path }) => path.startsWith("/simulator/"));

test("nothing of the simulator answers for a production account", async () => {
  expect(simulator.length).toBeGreaterThan(20);
  const { token } = await createTestAccount({ type: "production" });
  for (const { method, path, contract } of simulator) {
    const url = path.replace(/\{\w+\}/g, "+15550199999");
    const body = contract.body === undefined ? undefined : {};
    const answer = await callApi(`${method} ${url}`, { token, body });
    expect([method, path, answer.status, answer.body.error.code]).toEqual([method, path, 403, 2011]);
  }
});

test.each([
  ["text/html", "attachment", "inline"],
  ["image/svg+xml", "attachment", "inline"],
  ["image/png", "inline", "inline"],
])(
  "%s of a customer is %s on the dashboard's host and %s elsewhere",
  async (contentType, here, elsewhere) => {
    const disposition = async (host: string) => {
      const request = new Request(`http://${host}/file`, { headers: { host } });
      const read = async () => (async function* () {})();
      const file = { id: "f", filename: "file", contentType, sizeBytes: 0, read };
      return (await fileResponse(request, file)).headers.get("content-disposition")?.split(";")[0];
    };

    expect(await disposition(new URL(dashboardUrl()).host)).toBe(here);
    expect(await disposition("cdn.example")).toBe(elsewhere);
  },
);

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
