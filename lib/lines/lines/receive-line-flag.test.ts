import "@/lib/testing/use-test-database";

import { beforeEach, expect, test } from "vitest";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { setLineStatus } from "@/lib/lines/lines/set-line-status";
import { prisma, sql } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { lineOf } from "@/lib/testing/line-of";
import { receiveEvent } from "@/lib/testing/receive-event";

let account: TestAccount;
let line: LineRef;

beforeEach(async () => {
  account = await createTestAccount({ type: "production" });
  line = await lineOf(account);
});

const report = (isFlagged: boolean) => receiveEvent(line, { type: "line_flag", isFlagged });

async function progress() {
  const { status, flaggedBy } = await prisma().line.findFirstOrThrow({ where: { id: line.id } });
  return [status, flaggedBy];
}

test("a line that its transport restricts emits one event and refuses writes with 2027 until the transport frees it", async () => {
  await report(true);
  await report(true);
  expect(await progress()).toEqual(["FLAGGED", "transport"]);
  const message = { parts: [{ type: "text", value: "hello" }] };
  const body = { from: account.line, to: ["+15550008001"], message };
  const refused = await callApi("POST /v3/chats", { token: account.token, body });
  expect([refused.status, refused.body.error.code]).toEqual([403, 2027]);

  await report(false);
  expect(await progress()).toEqual(["ACTIVE", null]);
  expect((await callApi("POST /v3/chats", { token: account.token, body })).status).toBe(201);
  const emitted = await sql.runText({
    text: "select 1 from events where account_id = $1 and type = 'phone_number.status_updated'",
    values: [account.ref.id],
  });
  expect(emitted).toHaveLength(2);
});

test("a transport does not clear an operator's flag", async () => {
  await setLineStatus(account.context(), line.id, "FLAGGED");
  await report(false);
  expect(await progress()).toEqual(["FLAGGED", "operator"]);
});
