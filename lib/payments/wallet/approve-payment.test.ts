import "@/lib/testing/use-test-database";

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { sql } from "@/lib/platform/database/db";
import { setClock } from "@/lib/platform/time/clock";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { startSending } from "@/lib/testing/payments/connect-customer";
import {
  approve,
  createApprover,
  fetchPasskeyOptions,
  readApproval,
  requestAgentPayment,
  submitAssertion,
} from "@/lib/testing/payments/use-wallet";
import { createAuthenticator } from "@/lib/testing/sign-in/software-authenticator";

let account: TestAccount;
let stopSending: () => Promise<void>;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  stopSending = startSending();
});

afterEach(() => setClock(null));
afterAll(() => stopSending());

describe("an approval is refused, counted, and changes nothing", () => {
  const waiting = { status: "awaiting_user_action", approval_tries: 1, card_ref: null };

  test("without user verification", async () => {
    const { handle, authenticator, approvalUrl } = await createApprover(account);
    const { status, body } = await approve(approvalUrl, authenticator, { verifiesUser: false });
    expect([status, body.error.code]).toEqual([400, 1005]);
    expect(await readApproval(handle)).toEqual(waiting);
  });

  test("when it was signed for another payment", async () => {
    const { handle, authenticator, approvalUrl } = await createApprover(account);
    const other = await requestAgentPayment(account, handle, { amount_cents: 9900 });
    const assertion = authenticator.sign(await fetchPasskeyOptions(other.approval_url));
    expect((await submitAssertion(approvalUrl, assertion)).status).toBe(400);
    expect(await readApproval(handle)).toEqual(waiting);
    expect((await submitAssertion(other.approval_url, assertion)).body.status).toBe("ready");
  });

  test("when the payment is not the one that was shown", async () => {
    const { handle, authenticator, approvalUrl } = await createApprover(account);
    const assertion = authenticator.sign(await fetchPasskeyOptions(approvalUrl));
    await sql.runText({
      text: "update agent_payments set amount_minor = 420000 where handle = $1",
      values: [handle],
    });
    expect((await submitAssertion(approvalUrl, assertion)).status).toBe(400);
    expect(await readApproval(handle)).toEqual(waiting);
  });

  test("when it is handed in again", async () => {
    const { handle, authenticator, approvalUrl } = await createApprover(account);
    const assertion = authenticator.sign(await fetchPasskeyOptions(approvalUrl), { verifiesUser: false });
    await submitAssertion(approvalUrl, assertion);
    expect((await submitAssertion(approvalUrl, assertion)).status).toBe(400);
    expect(await readApproval(handle)).toEqual({ ...waiting, approval_tries: 2 });
  });

  test("after five minutes", async () => {
    const { handle, authenticator, approvalUrl } = await createApprover(account);
    const assertion = authenticator.sign(await fetchPasskeyOptions(approvalUrl));
    setClock({ offsetMs: 5 * 60_000, frozenAt: null });
    expect((await submitAssertion(approvalUrl, assertion)).status).toBe(400);
    expect(await readApproval(handle)).toEqual(waiting);
  });

  test("by another customer's passkey", async () => {
    const { handle, approvalUrl } = await createApprover(account);
    const other = await createApprover(account);
    expect((await approve(approvalUrl, other.authenticator)).status).toBe(400);
    expect((await approve(approvalUrl, createAuthenticator())).status).toBe(400);
    expect(await readApproval(handle)).toEqual({ ...waiting, approval_tries: 2 });
  });

  test("for another origin or relying party", async () => {
    const { handle, authenticator, approvalUrl } = await createApprover(account);
    for (const more of [{ origin: "https://evil.example" }, { rpID: "evil.example" }]) {
      const asked = await fetchPasskeyOptions(approvalUrl);
      expect((await submitAssertion(approvalUrl, authenticator.sign({ ...asked, ...more }))).status).toBe(
        400,
      );
    }
    expect(await readApproval(handle)).toEqual({ ...waiting, approval_tries: 2 });
  });

  test("with a challenge that was made to register a passkey", async () => {
    const { handle, authenticator, approvalUrl } = await createApprover(account);
    const asked = await fetchPasskeyOptions(approvalUrl);
    await sql.runText({
      text: "update passkey_challenges set purpose = 'register' where challenge = $1",
      values: [asked.challenge],
    });
    expect((await submitAssertion(approvalUrl, authenticator.sign(asked))).status).toBe(400);
    expect(await readApproval(handle)).toEqual(waiting);
  });

  test("and after ten refusals not even the right one is taken", async () => {
    const { handle, authenticator, approvalUrl } = await createApprover(account);
    for (let count = 0; count < 10; count++)
      await approve(approvalUrl, authenticator, { verifiesUser: false });
    const { status, body } = await approve(approvalUrl, authenticator);
    expect([status, body.error.code]).toEqual([409, 2015]);
    expect(await readApproval(handle)).toMatchObject({ status: "awaiting_user_action", card_ref: null });
  });

  test("a body without a signature is 400/1003", async () => {
    const { approvalUrl } = await createApprover(account);
    const { status, body } = await submitAssertion(approvalUrl, { id: 5 });
    expect([status, body.error.code]).toEqual([400, 1003]);
  });
});

test("ten approvals of one payment at once make one card", async () => {
  const { handle, authenticator, approvalUrl } = await createApprover(account);
  const assertions = [];
  for (let count = 0; count < 8; count++) {
    assertions.push(authenticator.sign(await fetchPasskeyOptions(approvalUrl)));
  }
  const answers = await Promise.all(assertions.map((assertion) => submitAssertion(approvalUrl, assertion)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await readApproval(handle)).toMatchObject({ status: "ready" });
  const cards = await sql.runText({
    text: "select 1 from servicecard_cards c join agent_payments p on p.id = c.payment_id where p.handle = $1",
    values: [handle],
  });
  expect(cards).toHaveLength(1);
});
