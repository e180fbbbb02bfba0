import "@/lib/testing/use-test-database";

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { DELETE as resetRoute } from "@/app/api/agent-payments/connections/[handle]/passkeys/route";
import { relyingParty } from "@/lib/payments/wallet/passkey-challenge";
import { sql } from "@/lib/platform/database/db";
import { groupedNumber } from "@/lib/platform/text/phone-formats";
import { setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { writeAs } from "@/lib/testing/factories";
import { openPage } from "@/lib/testing/open-page";
import { connectCustomer, requestCode, startSending } from "@/lib/testing/payments/connect-customer";
import {
  approve,
  attachCard,
  createApprover,
  fetchNewPasskeyOptions,
  fetchPasskeyOptions,
  makePasskey,
  readApproval,
  requestAgentPayment,
  requestPasskeyCode,
  submitAssertion,
} from "@/lib/testing/payments/use-wallet";
import { signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { createAuthenticator } from "@/lib/testing/sign-in/software-authenticator";

let account: TestAccount;
let stopSending: () => Promise<void>;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  stopSending = startSending();
});

afterEach(() => setClock(null));
afterAll(() => stopSending());

describe("a passkey is created", () => {
  /** Creates a connected customer with a card, and the link of the page on which they create a passkey. */
  async function createAttaching() {
    const handle = await connectCustomer(account);
    const { attach_url } = await requestAgentPayment(account, handle);
    await attachCard(attach_url);
    return { handle, attachUrl: String(attach_url), path: new URL(attach_url).pathname };
  }

  const passkeysOf = (handle: string) =>
    sql.runText({ text: "select 1 from passkeys where handle = $1", values: [handle] });
  const optionsFor = (path: string, body: object) => callApi(`POST ${path}/passkey/options`, { body });
  const wrong = (code: string) => (code === "000000" ? "000001" : "000000");

  test("only with user verification, and only for its own challenge", async () => {
    const { attachUrl, path } = await createAttaching();
    const unverified = await makePasskey(attachUrl, createAuthenticator(), { verifiesUser: false });
    expect(unverified.status).toBe(400);
    const code = await requestPasskeyCode(attachUrl);
    const answer = createAuthenticator().register(await fetchNewPasskeyOptions(attachUrl, code));
    expect((await callApi(`POST ${path}/passkey`, { body: answer })).status).toBe(200);
    expect((await callApi(`POST ${path}/passkey`, { body: answer })).status).toBe(409);
  });

  test("with options that require the device to verify its user, for this customer alone", async () => {
    const [one, other] = [await createAttaching(), await createAttaching()];
    const ask = async ({ attachUrl, path }: typeof one) =>
      (await optionsFor(path, { code: await requestPasskeyCode(attachUrl) })).body;
    const [options, again, others] = [await ask(one), await ask(one), await ask(other)];

    expect(options).toMatchObject({
      rp: { id: relyingParty().rpID },
      user: { name: one.handle },
      attestation: "none",
      authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
    });
    expect(again.user.id).toBe(options.user.id);
    expect(others.user.id).not.toBe(options.user.id);
    expect(again.challenge).not.toBe(options.challenge);
  });

  test("and is on record; a rejection says what to do, and a withdrawn code enrolls nothing", async () => {
    const { handle, attachUrl, path } = await createAttaching();
    const register = (answer: object) => callApi(`POST ${path}/passkey`, { body: answer });
    const asked = await fetchNewPasskeyOptions(attachUrl, await requestPasskeyCode(attachUrl));

    const unverified = await register(createAuthenticator().register(asked, { verifiesUser: false }));
    expect(unverified.body.error.message).toContain("unlock your device when prompted");
    const enrollment = { text: "delete from passkey_enrollments where handle = $1", values: [handle] };
    await sql.runText(enrollment);
    const withdrawn = await register(createAuthenticator().register(asked));
    expect(withdrawn.body.error.message).toContain("expired or was already used");
    expect(await passkeysOf(handle)).toEqual([]);

    expect((await makePasskey(attachUrl, createAuthenticator())).status).toBe(200);
    const entries = await sql.runText({
      text: "select action from audit_entries where object_type = 'passkey' and object_id = $1",
      values: [handle],
    });
    expect(entries).toContainEqual({ action: "passkey.registered" });
  });

  test("not with the token and the link alone, without the customer's phone", async () => {
    const { handle, attachUrl, path } = await createAttaching();
    expect((await callApi(`POST ${path}/passkey/code`, { body: {} })).status).toBe(200);

    // Everything available to a holder of the token and the link: no code, a guess, a consent code, and the message as
    // the API shows it.
    expect((await optionsFor(path, {})).status).toBe(400);
    const [row] = await sql.runText<{ id: string }>({
      text: `select c.id from chats c where c.account_id = $1 and c.recipient_handle = $2`,
      values: [account.ref.id, handle],
    });
    const shown = JSON.stringify(
      (await callApi(`GET /v3/chats/${row?.id}/messages`, { token: account.token })).body,
    );
    expect(shown).toContain("•••••• is your code to create a passkey");
    expect(shown).not.toMatch(/\d{6} is your code/);
    const events = await sql.runText<{ data: object }>({
      text: "select data from events where account_id = $1 and chat_id = $2",
      values: [account.ref.id, row?.id],
    });
    expect(JSON.stringify(events)).not.toMatch(/\d{6} is your code/);

    const challenge = Buffer.alloc(32, 7).toString("base64url");
    const forged = createAuthenticator().register({ challenge, ...relyingParty() });
    expect((await callApi(`POST ${path}/passkey`, { body: forged })).status).toBe(400);
    const code = await requestPasskeyCode(attachUrl);
    for (let count = 0; count < 5; count++) {
      const { status, body } = await optionsFor(path, { code: wrong(code) });
      expect([status, body.error.code, body.challenge]).toEqual([400, 1005, undefined]);
    }
    expect((await optionsFor(path, { code })).status).toBe(400);
    expect(await passkeysOf(handle)).toEqual([]);
    expect((await requestAgentPayment(account, handle)).status).toBe("awaiting_user_action");
  });

  test("with the code of this customer and purpose alone, within ten minutes", async () => {
    const [one, other] = [await createAttaching(), await createAttaching()];
    const code = await requestPasskeyCode(one.attachUrl);
    await requestPasskeyCode(other.attachUrl);
    expect((await optionsFor(other.path, { code })).status).toBe(400);
    setClock({ offsetMs: 10 * 60_000, frozenAt: null });
    expect((await optionsFor(one.path, { code })).body.error.message).toContain("expired");
  });

  test.each([
    ["as it is", (code: string) => code],
    ["in a sentence", (code: string) => `sure, it is ${code.slice(0, 3)} ${code.slice(3)}, bye`],
    ["between other digits", (code: string) => `1-${code.slice(0, 2)}-${code.slice(2)}-99`],
  ])("not with a code that the customer was talked into texting %s", async (_, say) => {
    const { handle, attachUrl, path } = await createAttaching();
    const code = await requestPasskeyCode(attachUrl);
    await writeAs(account, handle, { to: account.line, text: "what is 123 and 45678?" });
    await fetchNewPasskeyOptions(attachUrl, code);
    await writeAs(account, handle, { to: account.line, text: say(code) });
    expect((await optionsFor(path, { code })).body.error.message).toContain("send another code");
    expect(
      await sql.runText({
        text: "select 1 from audit_entries where action = 'passkey.code_withdrawn' and object_id = $1",
        values: [handle],
      }),
    ).toHaveLength(1);
    expect((await makePasskey(attachUrl, createAuthenticator())).status).toBe(200);
  });

  test("guessed fifty times at once, a code is compared five times", async () => {
    const { handle, attachUrl, path } = await createAttaching();
    const code = await requestPasskeyCode(attachUrl);
    const guesses = Array.from({ length: 50 }, (_, index) => String(index).padStart(6, "0"));
    await Promise.all(
      guesses.filter((guess) => guess !== code).map((guess) => optionsFor(path, { code: guess })),
    );
    const [row] = await sql.runText({
      text: "select code_tries from passkey_enrollments where account_id = $1 and handle = $2",
      values: [account.ref.id, handle],
    });
    expect(row).toEqual({ code_tries: 5 });
  });

  test("once: of five devices with the code at the same time, one is enrolled", async () => {
    const { handle, attachUrl, path } = await createAttaching();
    const code = await requestPasskeyCode(attachUrl);
    const asked = [];
    for (let count = 0; count < 5; count++) asked.push(await fetchNewPasskeyOptions(attachUrl, code));
    const answers = await Promise.all(
      asked.map((options) =>
        callApi(`POST ${path}/passkey`, { body: createAuthenticator().register(options) }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await passkeysOf(handle)).toHaveLength(1);
    const again = await callApi(`POST ${path}/passkey/code`, { body: {} });
    expect([again.status, again.body.error.code]).toEqual([409, 2015]);
  });

  test("not beside another one that was created meanwhile", async () => {
    const { handle, attachUrl, path } = await createAttaching();
    const asked = await fetchNewPasskeyOptions(attachUrl, await requestPasskeyCode(attachUrl));
    await sql.runText({
      text: `insert into passkeys (account_id, id, handle, public_key, counter, transports, created_at)
             values ($1, 'meanwhile', $2, '', 0, '{}', now())`,
      values: [account.ref.id, handle],
    });
    const answer = createAuthenticator().register(asked);
    const { status, body } = await callApi(`POST ${path}/passkey`, { body: answer });
    expect([status, body.error]).toMatchObject([
      409,
      { code: 2015, message: expect.stringContaining("already has a passkey") },
    ]);
    expect(await passkeysOf(handle)).toHaveLength(1);
  });

  test("not with an attestation that another key signed", async () => {
    const { handle, attachUrl, path } = await createAttaching();
    const asked = await fetchNewPasskeyOptions(attachUrl, await requestPasskeyCode(attachUrl));
    const forged = createAuthenticator().register(asked, { forgesAttestation: true });
    const { status, body } = await callApi(`POST ${path}/passkey`, { body: forged });
    expect([status, body.error.code]).toEqual([400, 1005]);
    expect(await passkeysOf(handle)).toEqual([]);
  });

  const everyTransport = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"];
  test.each([
    ["are kept", everyTransport, everyTransport],
    ["that WebAuthn does not know are left out with the others", ["usb", "pigeon"], []],
    ["that are too many are left out", Array.from({ length: 9 }, () => "usb"), []],
    ["may be missing", undefined, []],
  ])("its transports %s", async (_, transports, kept) => {
    const { handle, attachUrl, path } = await createAttaching();
    const asked = await fetchNewPasskeyOptions(attachUrl, await requestPasskeyCode(attachUrl));
    const answer = createAuthenticator().register(asked, { transports });
    expect((await callApi(`POST ${path}/passkey`, { body: answer })).status).toBe(200);
    const rows = await sql.runText({
      text: "select transports from passkeys where handle = $1",
      values: [handle],
    });
    expect(rows).toEqual([{ transports: kept }]);
  });

  test("more than five codes an hour to a customer are 429/1007", async () => {
    const { path } = await createAttaching();
    for (let count = 0; count < 5; count++) {
      expect((await callApi(`POST ${path}/passkey/code`, { body: {} })).status).toBe(200);
    }
    const { status, body } = await callApi(`POST ${path}/passkey/code`, { body: {} });
    expect([status, body.error.code]).toEqual([429, 1007]);
  });

  test("the page asks for the code once one was sent", async () => {
    const { handle, attachUrl, path } = await createAttaching();
    const before = (await openPage(path)).text;
    expect(before).toContain("Send code");
    expect(before).toContain(groupedNumber(handle));
    expect(before).not.toContain("Create a passkey");
    await requestPasskeyCode(attachUrl);
    const after = (await openPage(path)).text;
    expect(after).toContain('autocomplete="one-time-code"');
    expect(after).toContain("Create a passkey");
  });
});

describe("passkeys are removed", () => {
  const passkeysOf = (handle: string) =>
    sql.runText({ text: "select 1 from passkeys where handle = $1", values: [handle] });
  const audited = (action: string, handle: string) =>
    sql.runText({
      text: "select actor_type, detail from audit_entries where action = $1 and object_id = $2",
      values: [action, handle],
    });

  test("with the customer's connection: connected again, they create another with another code", async () => {
    const { handle, authenticator, approvalUrl } = await createApprover(account);
    const assertion = authenticator.sign(await fetchPasskeyOptions(approvalUrl));
    await callApi(`DELETE /v3/payments/handles/${handle}/connection`, { token: account.token });
    expect(await passkeysOf(handle)).toEqual([]);
    expect((await submitAssertion(approvalUrl, assertion)).status).toBe(409);
    expect((await requestAgentPayment(account, handle)).status).toBe("needs_connection");

    const { connectId, code } = await requestCode(account, handle);
    await callApi(`POST /v3/payments/handles/${handle}/verify`, {
      token: account.token,
      body: { code, connect_id: connectId },
    });
    const { attach_url } = await requestAgentPayment(account, handle);
    expect((await makePasskey(attach_url, createAuthenticator())).status).toBe(200);
  });

  test("by an admin alone, who leaves the consent; the next payment asks for a new passkey", async () => {
    const { handle, authenticator, approvalUrl } = await createApprover(account);
    const assertion = authenticator.sign(await fetchPasskeyOptions(approvalUrl));
    const params = { handle };
    for (const role of ["developer", "support", "viewer"] as const) {
      const user = await signInAs(account, role);
      expect((await user.call(resetRoute, { method: "DELETE", params })).status).toBe(403);
    }
    expect(await passkeysOf(handle)).toHaveLength(1);

    const admin = await signInAs(account, "admin");
    const { body } = await admin.call(resetRoute, { method: "DELETE", params });
    expect(body).toEqual({ handle, removed: 1 });
    expect(await audited("passkey.reset", handle)).toMatchObject([
      { actor_type: "user", detail: { removed: 1 } },
    ]);
    expect(
      (await callApi(`GET /v3/payments/handles/${handle}/connection`, { token: account.token })).body.status,
    ).toBe("connected");
    expect((await submitAssertion(approvalUrl, assertion)).status).toBe(409);
    const moved = await openPage(new URL(approvalUrl).pathname);
    const { attach_url, status } = await requestAgentPayment(account, handle);
    expect([status, moved.response.headers.get("location")]).toEqual(["awaiting_user_action", attach_url]);

    const device = createAuthenticator();
    expect((await makePasskey(attach_url, device)).status).toBe(200);
    expect(
      (await approve((await requestAgentPayment(account, handle)).approval_url, device)).body.status,
    ).toBe("ready");
  });

  test("a code and a challenge from before a reset enroll nothing", async () => {
    const handle = await connectCustomer(account);
    const { attach_url } = await requestAgentPayment(account, handle);
    await attachCard(attach_url);
    const asked = await fetchNewPasskeyOptions(attach_url, await requestPasskeyCode(attach_url));
    const admin = await signInAs(account, "admin");
    await admin.call(resetRoute, { method: "DELETE", params: { handle } });
    const answer = createAuthenticator().register(asked);
    expect((await callApi(`POST ${new URL(attach_url).pathname}/passkey`, { body: answer })).status).toBe(
      400,
    );
    expect(await passkeysOf(handle)).toEqual([]);
  });

  test("of an approval and a reset at once one wins, and nothing is approved by a passkey that is gone", async () => {
    const admin = await signInAs(account, "admin");
    for (let round = 0; round < 4; round++) {
      const { handle, authenticator, approvalUrl } = await createApprover(account);
      const assertion = authenticator.sign(await fetchPasskeyOptions(approvalUrl));
      const [approved, reset] = await Promise.all([
        submitAssertion(approvalUrl, assertion),
        admin.call(resetRoute, { method: "DELETE", params: { handle } }),
      ]);
      expect(reset.status).toBe(200);
      const { status } = (await readApproval(handle)) ?? {};
      expect([
        [200, "ready"],
        [200, "awaiting_user_action"],
        [409, "awaiting_user_action"],
        [400, "awaiting_user_action"],
      ]).toContainEqual([approved.status, status]);
      expect(await passkeysOf(handle)).toEqual([]);
    }
  });
});
