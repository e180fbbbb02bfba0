import "@/lib/testing/use-test-database";

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { setClock } from "@/lib/platform/clock";
import { sql } from "@/lib/platform/db";
import { callApi } from "@/lib/testing/call-api";
import { connectCustomer, startSending } from "@/lib/testing/connect-customer";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { openPage } from "@/lib/testing/open-page";
import { createAuthenticator } from "@/lib/testing/software-authenticator";
import { approve, askPasskey, attachCard, handIn, makePasskey } from "@/lib/testing/use-wallet";

let account: TestAccount;
let stopSending: () => Promise<void>;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  stopSending = startSending();
});

afterEach(() => setClock(null));
afterAll(() => stopSending());

const call = (what: `${string} ${string}`, body?: unknown) => callApi(what, { token: account.token, body });
const pay = async (handle: string, more: object = {}) =>
  (await call("POST /v3/payments", { amount_cents: 4200, currency: "usd", handle, ...more })).body;

/** A customer with a card and a passkey, and a payment that waits for approval. */
async function createApprover() {
  const handle = await connectCustomer(account);
  const authenticator = createAuthenticator();
  const { attach_url } = await pay(handle);
  await attachCard(attach_url);
  await makePasskey(attach_url, authenticator);
  const { approval_url } = await pay(handle);
  return { handle, authenticator, attachUrl: String(attach_url), approvalUrl: String(approval_url) };
}

async function triesOf(handle: string) {
  const [row] = await sql.query<{ status: string; approval_tries: number; card_ref: string | null }>({
    text: "select status, approval_tries, card_ref from agent_payments where handle = $1 order by id limit 1",
    values: [handle],
  });
  return row;
}

describe("an approval is refused, counted, and changes nothing", () => {
  const waiting = { status: "awaiting_user_action", approval_tries: 1, card_ref: null };

  test("without user verification", async () => {
    const { handle, authenticator, approvalUrl } = await createApprover();
    const { status, body } = await approve(approvalUrl, authenticator, { verifiesUser: false });
    expect([status, body.error.code]).toEqual([400, 1005]);
    expect(await triesOf(handle)).toEqual(waiting);
  });

  test("when it was signed for another payment", async () => {
    const { handle, authenticator, approvalUrl } = await createApprover();
    const other = await pay(handle, { amount_cents: 9900 });
    const assertion = authenticator.sign(await askPasskey(other.approval_url, "options"));
    expect((await handIn(approvalUrl, assertion)).status).toBe(400);
    expect(await triesOf(handle)).toEqual(waiting);
    expect((await handIn(other.approval_url, assertion)).body.status).toBe("ready");
  });

  test("when the payment is not the one that was shown", async () => {
    const { handle, authenticator, approvalUrl } = await createApprover();
    const assertion = authenticator.sign(await askPasskey(approvalUrl, "options"));
    await sql.query({
      text: "update agent_payments set amount_cents = 420000 where handle = $1",
      values: [handle],
    });
    expect((await handIn(approvalUrl, assertion)).status).toBe(400);
    expect(await triesOf(handle)).toEqual(waiting);
  });

  test("when it is handed in again", async () => {
    const { handle, authenticator, approvalUrl } = await createApprover();
    const assertion = authenticator.sign(await askPasskey(approvalUrl, "options"), { verifiesUser: false });
    await handIn(approvalUrl, assertion);
    expect((await handIn(approvalUrl, assertion)).status).toBe(400);
    expect(await triesOf(handle)).toEqual({ ...waiting, approval_tries: 2 });
  });

  test("after five minutes", async () => {
    const { handle, authenticator, approvalUrl } = await createApprover();
    const assertion = authenticator.sign(await askPasskey(approvalUrl, "options"));
    setClock({ offsetMs: 5 * 60_000, frozenAt: null });
    expect((await handIn(approvalUrl, assertion)).status).toBe(400);
    expect(await triesOf(handle)).toEqual(waiting);
  });

  test("by somebody else's passkey", async () => {
    const { handle, approvalUrl } = await createApprover();
    const other = await createApprover();
    expect((await approve(approvalUrl, other.authenticator)).status).toBe(400);
    expect((await approve(approvalUrl, createAuthenticator())).status).toBe(400);
    expect(await triesOf(handle)).toEqual({ ...waiting, approval_tries: 2 });
  });

  test("for another origin or relying party", async () => {
    const { handle, authenticator, approvalUrl } = await createApprover();
    for (const more of [{ origin: "https://evil.example" }, { rpID: "evil.example" }]) {
      const asked = await askPasskey(approvalUrl, "options");
      expect((await handIn(approvalUrl, authenticator.sign({ ...asked, ...more }))).status).toBe(400);
    }
    expect(await triesOf(handle)).toEqual({ ...waiting, approval_tries: 2 });
  });

  test("with a challenge that was made to register a passkey", async () => {
    const { handle, authenticator, approvalUrl } = await createApprover();
    const asked = await askPasskey(approvalUrl, "options");
    await sql.query({
      text: "update passkey_challenges set purpose = 'register' where challenge = $1",
      values: [asked.challenge],
    });
    expect((await handIn(approvalUrl, authenticator.sign(asked))).status).toBe(400);
    expect(await triesOf(handle)).toEqual(waiting);
  });

  test("and after ten refusals not even the right one is taken", async () => {
    const { handle, authenticator, approvalUrl } = await createApprover();
    for (let count = 0; count < 10; count++)
      await approve(approvalUrl, authenticator, { verifiesUser: false });
    const { status, body } = await approve(approvalUrl, authenticator);
    expect([status, body.error.code]).toEqual([409, 2015]);
    expect(await triesOf(handle)).toMatchObject({ status: "awaiting_user_action", card_ref: null });
  });

  test("what is no signature is 400/1003", async () => {
    const { approvalUrl } = await createApprover();
    const { status, body } = await handIn(approvalUrl, { id: 5 });
    expect([status, body.error.code]).toEqual([400, 1003]);
  });
});

test("ten approvals of one payment at once make one card", async () => {
  const { handle, authenticator, approvalUrl } = await createApprover();
  const assertions = [];
  for (let count = 0; count < 8; count++) {
    assertions.push(authenticator.sign(await askPasskey(approvalUrl, "options")));
  }
  const answers = await Promise.all(assertions.map((assertion) => handIn(approvalUrl, assertion)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await triesOf(handle)).toMatchObject({ status: "ready" });
  const cards = await sql.query({
    text: "select 1 from servicecard_cards c join agent_payments p on p.id = c.payment_id where p.handle = $1",
    values: [handle],
  });
  expect(cards).toHaveLength(1);
});

describe("a passkey is made", () => {
  test("only with user verification, and only for its own challenge", async () => {
    const handle = await connectCustomer(account);
    const { attach_url } = await pay(handle);
    await attachCard(attach_url);
    expect((await makePasskey(attach_url, createAuthenticator(), { verifiesUser: false })).status).toBe(400);
    const answer = createAuthenticator().register(await askPasskey(attach_url, "passkey/options"));
    const path = new URL(attach_url).pathname;
    expect((await callApi(`POST ${path}/passkey`, { body: answer })).status).toBe(200);
    expect((await callApi(`POST ${path}/passkey`, { body: answer })).status).toBe(409);
  });

  test("once: whoever has the link later, or at the same time, makes no second one", async () => {
    const handle = await connectCustomer(account);
    const { attach_url } = await pay(handle);
    await attachCard(attach_url);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => makePasskey(attach_url, createAuthenticator()).catch(() => null)),
    );
    expect(answers.filter((answer) => answer?.status === 200)).toHaveLength(1);
    const passkeys = await sql.query({ text: "select 1 from passkeys where handle = $1", values: [handle] });
    expect(passkeys).toHaveLength(1);
  });
});

describe("the pages", () => {
  test("say what is asked, load nothing from elsewhere, and are neither stored nor framed", async () => {
    const handle = await connectCustomer(account);
    const evil = `<script>alert("x")</script>`;
    const { attach_url } = await pay(handle, { description: evil, merchant: { name: "Harbor & Sons" } });
    const { response, text } = await openPage(new URL(attach_url).pathname);
    expect(response.status).toBe(200);
    expect(text).toContain("$42.00");
    expect(text).toContain("Harbor &amp; Sons");
    expect(text).toContain("Sandbox: no money moves");
    expect(text).not.toContain(evil);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("content-security-policy")).toMatch(
      /default-src 'none'.*frame-ancestors 'none'/,
    );
  });

  test("a changed link, or one for the other page, opens nothing", async () => {
    const { attachUrl, approvalUrl } = await createApprover();
    const link = new URL(approvalUrl).pathname.split("/").at(-1) ?? "";
    for (const path of [`/wallet/attach/${link}`, `/wallet/approve/${link}x`, "/wallet/approve/a.b.c"]) {
      expect((await openPage(path)).response.status).toBe(404);
    }
    const moved = await openPage(new URL(attachUrl).pathname);
    expect(moved.response.headers.get("location")).toBe(approvalUrl);
  });

  test("a payment that has ended asks for nothing", async () => {
    const { handle, approvalUrl } = await createApprover();
    await call(`DELETE /v3/payments/handles/${handle}/connection`);
    setClock({ offsetMs: 16 * 60_000, frozenAt: null });
    const { text } = await openPage(new URL(approvalUrl).pathname);
    expect(text).toContain("no longer waiting");
    expect(text).not.toContain("<button");
  });

  test("a test card that is none is refused", async () => {
    const handle = await connectCustomer(account);
    const { attach_url } = await pay(handle);
    expect(await attachCard(attach_url, "4242424242424242")).toBe(400);
  });

  test("an admin authorizes the sandbox's provider and comes back, once", async () => {
    const fresh = await createTestAccount({ type: "sandbox" });
    const connect = () =>
      callApi("POST /v3/payments/providers/servicecard/connect", {
        token: fresh.token,
        body: { return_url: "https://example.com/back?x=1" },
      });
    const provider = async () =>
      (await callApi("GET /v3/payments/providers/servicecard", { token: fresh.token })).body.status;
    const decide = (url: string, decision: string) =>
      openPage(url, { method: "POST", body: new URLSearchParams({ decision }) });
    for (const [decision, status] of [
      ["cancel", "disabled"],
      ["authorize", "ready"],
    ] as const) {
      const { body } = await connect();
      const german = await openPage(body.hosted_url, { headers: { "accept-language": "de" } });
      expect(german.text).toContain("Erlauben");
      const page = await openPage(body.hosted_url);
      expect(page.response.headers.get("content-security-policy")).toContain(
        "form-action 'self' https://example.com",
      );
      const { response } = await decide(body.hosted_url, decision);
      const back = `https://example.com/back?x=1&session_id=${body.session_id}&status=${status}`;
      expect([response.status, response.headers.get("location")]).toEqual([303, back]);
      expect(await provider()).toBe(status);
      expect((await decide(body.hosted_url, "cancel")).response.status).toBe(404);
      expect(await provider()).toBe(status);
    }
  });
});
