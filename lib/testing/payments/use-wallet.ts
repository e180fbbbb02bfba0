import { CODE_TTL_MS, hashCode, newCode } from "@/lib/payments/connections/one-time-code";
import { relyingParty } from "@/lib/payments/wallet/passkey-challenge";
import { sql } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import type { TestAccount } from "@/lib/testing/create-test-account";
import { openPage } from "@/lib/testing/open-page";
import { connectCustomer, readPhoneTexts, untilCode } from "@/lib/testing/payments/connect-customer";
import { createAuthenticator } from "@/lib/testing/sign-in/software-authenticator";

type Authenticator = ReturnType<typeof createAuthenticator>;

const pathOf = (url: string) => new URL(url).pathname;

/** Selects a test card on the attach page. */
export async function attachCard(attachUrl: string, card = "pays"): Promise<number> {
  const body = new URLSearchParams({ card });
  return (await openPage(pathOf(attachUrl), { method: "POST", body })).response.status;
}

/** Returns the passkey options of the approval page. */
export async function fetchPasskeyOptions(approvalUrl: string) {
  return challengeIn(await callApi(`POST ${pathOf(approvalUrl)}/options`, { body: {} }));
}

/** Returns the options for a new passkey on the attach page, with the code from the customer's phone. */
export async function fetchNewPasskeyOptions(attachUrl: string, code: string) {
  return challengeIn(await callApi(`POST ${pathOf(attachUrl)}/passkey/options`, { body: { code } }));
}

function challengeIn({ body }: Awaited<ReturnType<typeof callApi>>) {
  if (body.challenge === undefined) throw new Error(`no challenge: ${JSON.stringify(body)}`);
  return { challenge: String(body.challenge), ...relyingParty() };
}

/** Requests a code on the attach page and reads it on the customer's phone. */
export async function requestPasskeyCode(attachUrl: string): Promise<string> {
  const { account_id, handle, type } = await customerOf(attachUrl);
  // Only sandbox accounts have simulated phones, so a production customer's code is stored as if it had been sent.
  if (type === "production") return storePasskeyCode(account_id, handle);
  const before = (await readPhoneTexts(handle)).length;
  const sent = await callApi(`POST ${pathOf(attachUrl)}/passkey/code`, { body: {} });
  if (sent.status !== 200) throw new Error(`no code was sent: ${JSON.stringify(sent.body)}`);
  return untilCode(handle, { before, pattern: /^(\d{6}) is your code to create a passkey/ });
}

async function customerOf(attachUrl: string) {
  const [accountId, paymentId] = pathOf(attachUrl).split("/").at(-1)?.split(".") ?? [];
  const [customer] = await sql.runText<{ account_id: string; handle: string; type: string }>({
    text: `select p.account_id, p.handle, a.type from agent_payments p join accounts a on a.id = p.account_id
           where p.account_id = $1 and p.id = $2`,
    values: [accountId, paymentId],
  });
  if (customer === undefined) throw new Error(`no payment for ${attachUrl}`);
  return customer;
}

async function storePasskeyCode(accountId: string, handle: string): Promise<string> {
  const code = newCode();
  const verificationId = newId(now().getTime());
  await sql.runText({
    text: `insert into passkey_enrollments
             (account_id, handle, verification_id, code_hash, code_expires_at, codes_sent, codes_since)
           values ($1, $2, $3, $4, $5, 1, $6)`,
    values: [
      accountId,
      handle,
      verificationId,
      hashCode(verificationId, code),
      new Date(now().getTime() + CODE_TTL_MS),
      now(),
    ],
  });
  return code;
}

/** Creates a passkey on the attach page with the code from the customer's phone. */
export async function makePasskey(
  attachUrl: string,
  authenticator: Authenticator,
  how?: { verifiesUser: boolean },
) {
  const asked = await fetchNewPasskeyOptions(attachUrl, await requestPasskeyCode(attachUrl));
  return callApi(`POST ${pathOf(attachUrl)}/passkey`, { body: authenticator.register(asked, how) });
}

/** Submits a signature to the approval page. */
export function submitAssertion(approvalUrl: string, assertion: object) {
  return callApi(`POST ${pathOf(approvalUrl)}`, { body: assertion });
}

/** Approves a payment on the approval page. */
export async function approve(
  approvalUrl: string,
  authenticator: Authenticator,
  how?: { verifiesUser: boolean },
) {
  return submitAssertion(approvalUrl, authenticator.sign(await fetchPasskeyOptions(approvalUrl), how));
}

/** Requests an agent payment of 42 dollars from a customer. */
export async function requestAgentPayment(account: TestAccount, handle: string, more: object = {}) {
  const body = { amount_cents: 4200, currency: "usd", handle, ...more };
  return (await callApi("POST /v3/payments", { token: account.token, body })).body;
}

/** Creates a customer with a card and a passkey, and a payment that waits for approval. */
export async function createApprover(account: TestAccount) {
  const handle = await connectCustomer(account);
  const authenticator = createAuthenticator();
  const { attach_url } = await requestAgentPayment(account, handle);
  await attachCard(attach_url);
  await makePasskey(attach_url, authenticator);
  const { approval_url } = await requestAgentPayment(account, handle);
  return { handle, authenticator, attachUrl: String(attach_url), approvalUrl: String(approval_url) };
}

/** Returns the status of a customer's first payment, its attempts at approval and its card. */
export async function readApproval(handle: string) {
  const [row] = await sql.runText<{ status: string; approval_tries: number; card_ref: string | null }>({
    text: "select status, approval_tries, card_ref from agent_payments where handle = $1 order by id limit 1",
    values: [handle],
  });
  return row;
}
