import { sql } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import type { TestAccount } from "@/lib/testing/create-test-account";
import { connectCustomer } from "@/lib/testing/payments/connect-customer";
import { attachCard } from "@/lib/testing/payments/use-wallet";

/** Connects a customer, as after the code and a first approved payment, so that later payments need no approval. */
export async function grantConsent(account: TestAccount, handle: string): Promise<void> {
  await sql.runText({
    text: `update handle_connections set status = 'connected', approved_at = now()
           where account_id = $1 and handle = $2`,
    values: [account.ref.id, handle],
  });
}

/** Creates a customer with a test card whose payments are ready immediately. Creates one payment of one cent. */
export async function createPayer(account: TestAccount): Promise<string> {
  const handle = await connectCustomer(account);
  await grantConsent(account, handle);
  const asked = { amount_cents: 1, currency: "usd", handle };
  const { body } = await callApi("POST /v3/payments", { token: account.token, body: asked });
  await attachCard(body.attach_url);
  return handle;
}
