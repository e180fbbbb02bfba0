import "@/lib/testing/use-test-database";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { createToken } from "@/lib/identity/tokens/create-token";
import { sql } from "@/lib/platform/database/db";
import { now, setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { until } from "@/lib/testing/until";

let account: TestAccount;

beforeEach(async () => {
  account = await createTestAccount({ type: "production" });
  await updateAccountOptions(account.context(), { body: { requests_per_minute: 5 } });
  // The first second of a minute, so that no test runs into the next minute.
  const minute = Math.ceil(now().getTime() / 60_000) * 60_000;
  setClock({ offsetMs: 0, frozenAt: new Date(minute + 1000) });
});

afterEach(() => setClock(null));

const sendRequest = (token = account.token) => callApi("GET /v3/phone_numbers", { token });

async function sendRequestsOf(count: number, token = account.token): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => sendRequest(token)));
  return answers.map(({ status }) => status);
}

describe("requests of a token", () => {
  test("over the limit are 429 until the minute is over", async () => {
    const statuses = await sendRequestsOf(8);
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);

    const refused = await sendRequest();
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 1007, retry_after: 59 } } });
    expect(refused.headers.get("retry-after")).toBe("59");

    setClock({ offsetMs: 0, frozenAt: new Date(now().getTime() + 59_000) });
    expect((await sendRequest()).status).toBe(200);
  });

  test("count for each token by itself", async () => {
    await sendRequestsOf(6);
    const { token } = await createToken(account.context(), { name: "another" });
    expect((await sendRequest(token)).status).toBe(200);
  });

  test("are checked after the token and before the input", async () => {
    await sendRequestsOf(5);
    expect((await sendRequest("tl_live_nobody")).status).toBe(401);
    const wrong = await callApi("POST /v3/chats", { token: account.token, body: "{" });
    expect(wrong.status).toBe(429);
  });

  test("of other instances count too, after those instances have reported them", async () => {
    await updateAccountOptions(account.context(), { body: { requests_per_minute: 1_000_000 } });
    await sql.runText({
      text: `insert into token_minutes (account_id, token_id, minute, requests)
             select account_id, id, $2, 1000000 from api_tokens where account_id = $1`,
      values: [account.ref.id, new Date(Math.floor(now().getTime() / 60_000) * 60_000)],
    });
    expect((await sendRequest()).status).toBe(200);
    await until(async () => (await sendRequest()).status === 429);
  });

  test("have no limit where the operator set none", async () => {
    await updateAccountOptions(account.context(), { body: { requests_per_minute: null } });
    expect(new Set(await sendRequestsOf(20))).toEqual(new Set([200]));
  });
});
