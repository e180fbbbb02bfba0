import "@/lib/testing/use-test-database";
import { beforeAll, expect, test } from "vitest";
import { sql } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createTestPhone, writeAs } from "@/lib/testing/factories";

let account: TestAccount;
let phone: string;
let messageId: string;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  phone = await createTestPhone(account);
  await writeAs(account, phone, { to: account.line, text: "Which day?" });
  // No worker runs, so the message stays accepted.
  ({ messageId } = await account.sendFirst(phone));
  await sql.runText({
    text: `insert into simulator_messages (account_id, line_id, handle, ref, sender, service, parts, created_at, delivered_at)
           select account_id, line_id, $2, id::text, $3, 'iMessage', '[]', now(), now() from messages where id = $1`,
    values: [messageId, phone, account.line],
  });
});

/** Stores the acceptance of the message. Calls of phones that wait for it then go on. */
async function storeAcceptance(): Promise<void> {
  await sql.runText({
    text: `insert into transport_refs (account_id, line_id, ref, message_id)
           select account_id, line_id, id::text, id from messages where id = $1`,
    values: [messageId],
  });
  sql.wake("events");
}

test("a phone that answers before the acceptance of the message is stored waits for it", async () => {
  const path = `/simulator/phones/${phone}`;
  const reply = callApi(`POST ${path}/messages`, {
    token: account.token,
    body: { to: account.line, text: "Friday", reply_to: { message_id: messageId } },
  });
  const reaction = callApi(`POST ${path}/reactions`, {
    token: account.token,
    body: { message_id: messageId, operation: "add", type: "love" },
  });
  // Both calls have read that the acceptance is missing before it is stored.
  await callApi(`GET ${path}/messages`, { token: account.token });
  await storeAcceptance();

  expect((await reply).status).toBe(201);
  expect((await reaction).status).toBeLessThan(300);
});
