import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount } from "@/lib/testing/create-test-account";

test("a line of the account is no customer", async () => {
  const account = await createTestAccount({ type: "sandbox" });
  const message = { parts: [{ type: "text", value: "Hello" }] };
  const sent = await callApi("POST /v3/chats", {
    token: account.token,
    body: { from: account.line, to: [account.line], message },
  });
  expect(sent.status).toBeLessThan(500);
  const path = `/v3/payments/handles/${encodeURIComponent(account.line)}/connect`;
  const answer = await callApi(`POST ${path}`, { token: account.token, body: {} });
  expect([answer.status, answer.body.error?.code]).toEqual([403, 2008]);
});
