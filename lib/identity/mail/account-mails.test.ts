import "@/lib/testing/use-test-database";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as resetRoute from "@/app/api/password-reset/route";
import * as passwordReset from "@/app/api/people/[userId]/password-reset/route";
import * as people from "@/app/api/people/route";
import * as welcome from "@/app/api/welcome/route";
import { startMails } from "@/lib/identity/mail/deliver-mails";
import { recordProof, setPasswordByLink } from "@/lib/identity/passwords/set-password";
import { acceptWithPassword } from "@/lib/identity/people/accept-invitation";
import { createUser } from "@/lib/identity/people/create-user";
import { findInvitationsOf } from "@/lib/identity/people/open-invitation";
import { newDeviceToken } from "@/lib/identity/sessions/known-device";
import { signIn } from "@/lib/identity/sign-in/sign-in";
import { createToken } from "@/lib/identity/tokens/create-token";
import { expireTokens } from "@/lib/identity/tokens/expire-tokens";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import type { Queue } from "@/lib/platform/database/queue";
import { wake } from "@/lib/platform/database/wake";
import { runForClient } from "@/lib/platform/http/request-client";
import { setClock } from "@/lib/platform/time/clock";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import {
  headersOf,
  type MailServer,
  type ReceivedMail,
  startMailServer,
  textOf,
} from "@/lib/testing/servers/start-mail-server";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { signOnAs } from "@/lib/testing/sign-in/sign-on-as";
import { until } from "@/lib/testing/until";

const PASSWORD = "correct horse battery";
const DAY_MS = 86_400_000;
const never = new AbortController().signal;

let server: MailServer;
let queue: Queue | null;
let account: TestAccount;
let admin: DashboardUser;
let counter = 0;

beforeAll(async () => {
  server = await startMailServer();
  process.env.SMTP_URL = server.url;
  process.env.MAIL_FROM = "no-reply@example.com";
  queue = startMails();
});

afterAll(async () => {
  await queue?.stop();
  await server.close();
});

beforeEach(async () => {
  setClock(null);
  account = await createTestAccount({ type: "sandbox" });
  admin = await signInAs(account, "admin");
  await prisma().signInThrottle.deleteMany();
  await settled();
  server.received.length = 0;
});

afterEach(() => setClock(null));

/** Waits until every stored email was sent, given up or deleted. */
async function settled(): Promise<void> {
  wake("mails");
  await until(
    async () =>
      (await sql.runText({ text: "select from outgoing_mails where due_at is not null" })).length === 0,
  );
}

async function mailsTo(address: string): Promise<ReceivedMail[]> {
  await settled();
  return server.received.filter(({ to }) => to.includes(address));
}

async function mailTo(address: string): Promise<ReceivedMail> {
  const [mail, ...more] = await mailsTo(address);
  if (mail === undefined || more.length > 0) throw new Error(`${more.length + 1} emails to ${address}`);
  return mail;
}

function linkIn(mail: ReceivedMail): string {
  return /\/welcome\/([\w-]+)/.exec(textOf(mail))?.[1] ?? "";
}

function newEmail(): string {
  return `mailed${++counter}@example.com`;
}

async function createPerson(): Promise<{ id: string; email: string }> {
  const email = newEmail();
  const { partnerId } = account.ref;
  const { userId, link } = await createUser({ partnerId, email, name: "Ada", role: "developer" });
  await setPasswordByLink(link?.token ?? "", PASSWORD);
  await settled();
  server.received.length = 0;
  return { id: userId, email };
}

function requestReset(email: string, address = "203.0.113.7"): Promise<Response> {
  const request = new Request("http://localhost/api/password-reset", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email }),
  });
  return runForClient({ address, userAgent: null }, () =>
    resetRoute.POST(request, { params: Promise.resolve({}) }),
  );
}

describe("an invitation", () => {
  test("goes to the normalized address, with the link that sets the password", async () => {
    const email = newEmail();
    const body = { email: ` ${email.toUpperCase()} `, name: "Grace", role: "viewer" };
    const answer = await admin.call(people.POST, { method: "POST", body });

    expect(answer).toMatchObject({ status: 201, body: { emailed: true } });
    const mail = await mailTo(email);
    expect(headersOf(mail).get("subject")).toMatch(/^Your access to Partner \d+ on Trunkline$/);
    expect(textOf(mail)).toContain("A admin invites you to Partner");
    expect(answer.body.link).toBeNull();
    expect(await acceptWithPassword(linkIn(mail), PASSWORD)).toBe(email);
  });

  test("of a known address gets the same answer, and the person accepts it without the link", async () => {
    const { email } = await createPerson();
    const other = await createTestAccount({ type: "sandbox" });
    const inviter = await signInAs(other, "admin");
    const invite = (to: string) =>
      inviter.call(people.POST, { method: "POST", body: { email: to, name: "Typed", role: "viewer" } });

    const [known, unknown] = [await invite(email), await invite(newEmail())];

    expect(known).toMatchObject({ status: 201, body: { link: null, accept_link: null, emailed: true } });
    expect({ ...known.body, id: "" }).toEqual({ ...unknown.body, id: "" });
    const [found] = await findInvitationsOf(email);
    expect(found).toMatchObject({ id: known.body.id, user: { hasAccount: true, isProved: true } });
    await expect(acceptWithPassword(linkIn(await mailTo(email)), PASSWORD)).rejects.toMatchObject({
      errorName: "state_conflict",
    });
  });

  test("that could not be delivered is shown to the partner", async () => {
    const email = newEmail();
    const body = { email, name: "Grace", role: "viewer" };
    const { id } = (await admin.call(people.POST, { method: "POST", body })).body;
    await mailTo(email);
    const listed = async () => {
      const { body } = await admin.call(people.GET);
      return body.people.find((row: { id: string }) => row.id === id).invitation.mail_failed;
    };
    expect(await listed()).toBe(false);
    await sql.runText({
      text: "update outgoing_mails set sent_at = null where recipient = $1",
      values: [email],
    });
    expect(await listed()).toBe(true);
  });

  test("proves the address also of a person whose password an admin could know", async () => {
    const { id, email } = await createPerson();
    await transaction((tx) => recordProof(tx, id, false));
    const other = await createTestAccount({ type: "sandbox" });
    const inviter = await signInAs(other, "admin");
    const body = { email, name: "Typed", role: "viewer" };
    await inviter.call(people.POST, { method: "POST", body });

    expect(await acceptWithPassword(linkIn(await mailTo(email)), "another long password")).toBe(email);

    expect((await signIn(email, PASSWORD)).outcome).toBe("refused");
    expect((await signIn(email, "another long password")).outcome).toBe("signed_in");
  });

  test("of a person who has a password leads to the sign-in page", async () => {
    const { email } = await createPerson();
    const other = await createTestAccount({ type: "sandbox" });
    await createUser({ partnerId: other.ref.partnerId, email, name: "Ada", role: "viewer" });

    const mail = await mailTo(email);
    expect(textOf(mail)).toContain("/sign-in");
    expect(linkIn(mail)).toBe("");
  });

  test("by an admin who resets a password is one email with the new link", async () => {
    const { id, email } = await createPerson();
    const answer = await admin.call(passwordReset.POST, { method: "POST", params: { userId: id } });

    expect(answer.body).toEqual({ link: null, emailed: true });
    expect(await setPasswordByLink(linkIn(await mailTo(email)), "another long password")).toBe(email);
  });
});

describe("a request for a password reset", () => {
  test("sends a link that works once, for 30 minutes, ends all sessions and is in the audit log", async () => {
    const { id, email } = await createPerson();
    expect((await signIn(email, PASSWORD)).outcome).toBe("signed_in");
    const session = (await signIn(email, PASSWORD)).outcome;
    expect(session).toBe("signed_in");
    await settled();
    server.received.length = 0;

    expect((await requestReset(email.toUpperCase())).status).toBe(204);
    const mail = await mailTo(email);
    expect((await signIn(email, PASSWORD, { device: newDeviceToken(id) })).outcome).toBe("signed_in");

    const use = (password: string) =>
      welcome.POST(
        new Request("http://localhost/api/welcome", {
          method: "POST",
          body: JSON.stringify({ token: linkIn(mail), password }),
        }),
        { params: Promise.resolve({}) },
      );
    expect((await use("another long password")).status).toBe(200);
    expect((await use("a third long password")).status).toBe(404);
    expect(await sql.runText({ text: "select from sessions where user_id = $1", values: [id] })).toEqual([]);
    expect((await signIn(email, PASSWORD)).outcome).toBe("refused");
    expect((await signIn(email, "another long password")).outcome).toBe("signed_in");
    const audits = await prisma().auditEntry.findMany({ where: { objectId: id }, orderBy: { id: "asc" } });
    expect(audits.map(({ action }) => action)).toContain("user.password_reset_requested");
  });

  test("removes an intruder's passkeys and tells the person, but not those that a partner requires of who proved the address", async () => {
    const { id, email } = await createPerson();
    const addPasskey = (name: string) =>
      sql.runText({
        text: `insert into user_passkeys (id, user_id, name, public_key, counter, transports, is_synced, created_at)
               values ($1, $2, $1, '', 0, '{}', false, now())`,
        values: [name, id],
      });
    const passkeys = () => prisma().userPasskey.count({ where: { userId: id } });
    const lastMail = async () => (await mailsTo(email)).at(-1) as ReceivedMail;
    const resetPassword = async () => {
      await requestReset(email);
      expect(await setPasswordByLink(linkIn(await lastMail()), PASSWORD)).toBe(email);
      return textOf(await lastMail());
    };
    await addPasskey(`intruder of ${email}`);

    expect(await resetPassword()).toContain("Your passkey was removed");
    expect(await passkeys()).toBe(0);

    await addPasskey(`own of ${email}`);
    await prisma().membership.updateMany({ where: { userId: id }, data: { role: "admin" } });
    const where = { id: account.ref.partnerId };
    await prisma().partner.update({ where, data: { adminsNeedPasskey: true } });
    try {
      expect(await resetPassword()).toContain("Your passkeys still work");
      expect(await passkeys()).toBe(1);

      await prisma().user.update({ where: { id }, data: { addressProvedAt: null } });
      expect(await resetPassword()).toContain("Your passkey was removed");
    } finally {
      await prisma().partner.update({ where, data: { adminsNeedPasskey: false } });
    }
  });

  test("sends a link that no longer works after 30 minutes", async () => {
    const { email } = await createPerson();
    await requestReset(email);
    const token = linkIn(await mailTo(email));
    setClock({ offsetMs: 30 * 60_000 + 1000, frozenAt: null });

    expect(await setPasswordByLink(token, "another long password")).toBeNull();
  });

  test("of an unknown address gets the same answer, and no email is sent or kept", async () => {
    const { email } = await createPerson();
    const unknown = newEmail();
    const answers = [await requestReset(email), await requestReset(unknown)];

    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(["", ""]);
    expect(await mailsTo(unknown)).toEqual([]);
    expect(
      await sql.runText({ text: "select from outgoing_mails where recipient = $1", values: [unknown] }),
    ).toEqual([]);
  });

  test("does not end an invitation, which a new password ends", async () => {
    const email = newEmail();
    const { partnerId } = account.ref;
    const { link } = await createUser({ partnerId, email, name: "Ada", role: "developer" });
    await mailTo(email);
    server.received.length = 0;
    await requestReset(email);
    const token = linkIn(await mailTo(email));

    expect(await setPasswordByLink(link?.token ?? "", PASSWORD)).toBe(email);
    expect(await setPasswordByLink(token, PASSWORD)).toBeNull();
  });

  test("for one address sends three emails, however many are requested at once", async () => {
    const { email } = await createPerson();
    const answers = await Promise.all(Array.from({ length: 12 }, () => requestReset(email)));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    expect(await mailsTo(email)).toHaveLength(3);
  });

  test("is refused after many requests from one client", async () => {
    const statuses = [];
    for (let count = 0; count < 51; count++) {
      statuses.push((await requestReset(newEmail(), "203.0.113.9")).status);
    }
    expect(statuses.filter((status) => status === 204)).toHaveLength(50);
    expect(statuses.at(-1)).toBe(429);
    expect((await requestReset(newEmail(), "203.0.113.10")).status).toBe(204);
  });

  test("fails without SMTP_URL", async () => {
    const url = process.env.SMTP_URL;
    delete process.env.SMTP_URL;
    const answer = await requestReset(newEmail());
    process.env.SMTP_URL = url;

    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ error: { code: 2011 } });
  });
});

describe("a sign-in", () => {
  const BROWSER = "Mozilla/5.0 (Macintosh; Intel Mac OS X) AppleWebKit/605 Version/18 Safari/605";

  test("from a browser that the person has not used is reported with its name and address", async () => {
    const { email } = await createPerson();
    await signIn(email, PASSWORD);
    expect(await mailsTo(email)).toEqual([]);

    await runForClient({ address: "203.0.113.7", userAgent: BROWSER }, () => signIn(email, PASSWORD));

    const text = textOf(await mailTo(email));
    expect(text).toContain("Browser: Safari on macOS");
    expect(text).toContain("IP address: 203.0.113.7");
  });

  test("from a known browser is not reported, also by single sign-on", async () => {
    const { id, email } = await createPerson();
    await signIn(email, PASSWORD);
    const device = newDeviceToken(id);
    await signIn(email, PASSWORD, { device });
    await signOnAs(email, {}, { device });
    expect(await mailsTo(email)).toEqual([]);

    await signOnAs(email);
    expect(headersOf(await mailTo(email)).get("subject")).toBe("New sign-in to your Trunkline account");
  });
});

test("the expiry of a token is mailed seven days and one day before, to people who manage tokens", async () => {
  const { email } = await createPerson();
  const viewer = newEmail();
  await createUser({ partnerId: account.ref.partnerId, email: viewer, name: "Eve", role: "viewer" });
  await settled();
  server.received.length = 0;
  await createToken(account.context(), { name: "Orders", expires_in_days: 30 });

  const subjects: string[][] = [];
  for (const days of [0, 23.5, 24, 28, 29.5]) {
    setClock({ offsetMs: days * DAY_MS, frozenAt: null });
    server.received.length = 0;
    await expireTokens(never);
    subjects.push((await mailsTo(email)).map((mail) => headersOf(mail).get("subject") ?? ""));
    expect(await mailsTo(viewer)).toEqual([]);
  }

  expect(subjects).toEqual([
    [],
    ['API token "Orders" of main expires within 7 days'],
    [],
    [],
    ['API token "Orders" of main expires within a day'],
  ]);
});
