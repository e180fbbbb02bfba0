import "@/lib/testing/use-test-database";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startMails } from "@/lib/identity/mail/deliver-mails";
import { type NewMail, queueMail } from "@/lib/identity/mail/queue-mail";
import { renderMail } from "@/lib/identity/mail/render-mail";
import { sendMail } from "@/lib/identity/mail/send-mail";
import { EmailAddress } from "@/lib/identity/users/user";
import { sql, transaction } from "@/lib/platform/database/db";
import type { Queue } from "@/lib/platform/database/queue";
import { wake } from "@/lib/platform/database/wake";
import { toAsciiDomain } from "@/lib/platform/text/email-address";
import { parseSender, parseSmtpUrl } from "@/lib/platform/text/mail-settings";
import { now, setClock } from "@/lib/platform/time/clock";
import { captureLog } from "@/lib/testing/capture-log";
import { headersOf, type MailServer, startMailServer, textOf } from "@/lib/testing/servers/start-mail-server";
import { TEST_CERTIFICATE } from "@/lib/testing/servers/test-certificate";
import { until } from "@/lib/testing/until";

const logged = captureLog();
const LINK = "https://trunkline.example.com/welcome/SECRET-LINK";
const MAIL: NewMail = {
  type: "invitation",
  recipient: "ada@example.com",
  mail: { subject: "Hello", paragraphs: ["Welcome."], action: { label: "Set password", url: LINK } },
};

const RENDERED = { id: "id", recipient: "ada@example.com", subject: "Hello", text: "Hello", html: "Hello" };

let server: MailServer;
let queue: Queue | null = null;

beforeEach(async () => {
  setClock(null);
  await sql.runText({ text: "delete from outgoing_mails" });
  logged.length = 0;
  process.env.MAIL_FROM = "Trunkline <no-reply@example.com>";
});

afterEach(async () => {
  await queue?.stop();
  queue = null;
  await server?.close();
  delete process.env.SMTP_URL;
  setClock(null);
});

async function start(options: Parameters<typeof startMailServer>[0] = {}): Promise<void> {
  server = await startMailServer(options);
  process.env.SMTP_URL = server.url;
}

function send(mail: Partial<NewMail> = {}): Promise<boolean> {
  return transaction((tx) => queueMail(tx, { ...MAIL, ...mail }));
}

interface Row {
  due_at: Date | null;
  sent_at: Date | null;
  sealed: Buffer | null;
  attempts: number;
  last_error: string | null;
}

async function rows(): Promise<Row[]> {
  return sql.runText<Row>({ text: "select * from outgoing_mails order by id" });
}

function advance(seconds: number): void {
  setClock({ offsetMs: seconds * 1000, frozenAt: null });
  wake("mails");
}

describe("an email", () => {
  test("is sent as text and HTML after its transaction has committed, and its content is then deleted", async () => {
    await start();
    queue = startMails();
    await send();
    await until(async () => (await rows())[0]?.sent_at);

    const [mail] = server.received;
    expect(mail).toMatchObject({ from: "no-reply@example.com", to: ["ada@example.com"] });
    const headers = headersOf(only(server.received));
    expect(headers.get("from")).toBe("Trunkline <no-reply@example.com>");
    expect(headers.get("auto-submitted")).toBe("auto-generated");
    expect(headers.get("content-type")).toContain("multipart/alternative");
    expect(textOf(only(server.received)).split(LINK)).toHaveLength(4);
    expect(await rows()).toMatchObject([{ sealed: null, due_at: null, last_error: null, attempts: 1 }]);
  });

  test("of a transaction that rolls back is never sent", async () => {
    await start();
    queue = startMails();
    const rolledBack = transaction(async (tx) => {
      await queueMail(tx, MAIL);
      throw new Error("rolled back");
    });
    await expect(rolledBack).rejects.toThrow("rolled back");
    await send({ recipient: "grace@example.com" });
    await until(() => server.received.length > 0);

    expect(server.received.map(({ to }) => to)).toEqual([["grace@example.com"]]);
  });

  test("is not stored without SMTP_URL", async () => {
    await start();
    delete process.env.SMTP_URL;
    expect(await send()).toBe(false);
    expect(startMails()).toBeNull();
    expect(await rows()).toEqual([]);
  });

  test("keeps its link sealed while it waits", async () => {
    await start();
    await send();
    expect(Buffer.from((await rows())[0]?.sealed ?? []).includes("SECRET-LINK")).toBe(false);
  });

  test("is sent once by two workers", async () => {
    await start();
    const queues = [startMails(), startMails()];
    for (let count = 0; count < 20; count++) await send({ recipient: `person${count}@example.com` });
    await until(async () => (await rows()).every(({ sent_at }) => sent_at !== null));
    for (const each of queues) await each?.stop();

    expect(new Set(server.received.map(({ to }) => to[0])).size).toBe(20);
    expect(server.received).toHaveLength(20);
  });
});

describe("a server that", () => {
  test("is down gets the email when it is back", async () => {
    await start();
    const { port } = server;
    await server.close();
    queue = startMails();
    await send();
    await until(async () => (await rows())[0]?.last_error);
    expect(await rows()).toMatchObject([{ sent_at: null, attempts: 1 }]);
    expect((await rows())[0]?.due_at).not.toBeNull();

    server = await startMailServer({ port });
    advance(16);
    await until(async () => (await rows())[0]?.sent_at);
    expect(server.received).toHaveLength(1);
    expect(await rows()).toMatchObject([{ attempts: 2, last_error: null }]);
  });

  test("refuses for now gets the email again, with growing waits", async () => {
    await start({ onMessage: (count) => (count < 3 ? 451 : 0) });
    queue = startMails();
    await send();
    await until(async () => (await rows())[0]?.attempts === 1 && (await rows())[0]?.last_error);
    advance(16);
    const retriedAt = now();
    await until(async () => (await rows())[0]?.attempts === 2 && logged.length === 2);
    expect(Number((await rows())[0]?.due_at)).toBeGreaterThanOrEqual(retriedAt.getTime() + 30_000);
    advance(16 + 31);
    await until(async () => (await rows())[0]?.sent_at);

    expect(server.received).toHaveLength(1);
  });

  test("refuses the recipient for good is asked once, and the failure is logged without the link", async () => {
    await start({ onRecipient: () => 550 });
    queue = startMails();
    await send();
    await until(async () => (await rows())[0]?.due_at === null);

    expect(await rows()).toMatchObject([{ attempts: 1, sent_at: null, sealed: null }]);
    expect((await rows())[0]?.last_error).toContain("550 No such user");
    await until(() => logged.find((line) => line.includes("an email was given up")));
    expect(logged.join("")).not.toContain("SECRET-LINK");
    expect(logged.join("")).not.toContain("ada@example.com");
  });

  test("does not answer in time is a failure that can be retried", async () => {
    await start({ onMessage: () => new Promise((resolve) => setTimeout(resolve, 2000, 0)) });
    const rendered = {
      id: "slow",
      recipient: "ada@example.com",
      subject: "Slow",
      text: "Slow",
      html: "Slow",
    };

    const outcome = await sendMail(rendered, 300);

    expect(outcome).toMatchObject({ result: "failed", permanent: false });
  });

  test("has a wrong password gets the email when the password is right; no log line has a password", async () => {
    await start({ password: "right-password" });
    process.env.SMTP_URL = `smtp://trunkline:wrong-password@127.0.0.1:${server.port}`;
    queue = startMails();
    await send();
    await until(async () => (await rows())[0]?.last_error);
    expect((await rows())[0]?.last_error).toContain("535");
    expect((await rows())[0]?.last_error).not.toContain("wrong-password");

    process.env.SMTP_URL = `smtp://trunkline:right-password@127.0.0.1:${server.port}`;
    advance(16);
    await until(async () => (await rows())[0]?.sent_at);
    expect(logged.join("")).not.toMatch(/(wrong|right)-password/);
  });

  test.each([
    ["starttls", "?tls=required"],
    ["smtps", ""],
  ] as const)("has a certificate of an unknown authority gets no email (%s%s)", async (tls, query) => {
    await start({ tls, password: "secret" });
    process.env.SMTP_URL = server.url.replace("//", "//trunkline:secret@") + query;
    queue = startMails();
    await send();
    await until(async () => (await rows())[0]?.last_error);

    expect((await rows())[0]?.last_error).toMatch(/certificate/i);
    expect(server.received).toEqual([]);
  });

  test("offers STARTTLS with its own certificate, as Debian's Postfix does, gets the email encrypted", async () => {
    await start({ tls: "starttls" });
    expect(await sendMail(RENDERED)).toEqual({ result: "sent" });
    expect(server.received).toMatchObject([{ secure: true }]);
  });

  test.each([
    ["its name in EHLO", 504, "5.5.2 <vm>: Helo command rejected: need fully-qualified hostname"],
    ["relaying", 554, "5.7.1 <ada@example.com>: Relay access denied"],
    ["relaying, as Exim says it", 550, "relay not permitted"],
    ["its address", 554, "5.7.1 Service unavailable; Client host [192.0.2.1] blocked"],
    ["the missing credentials", 530, "5.7.0 Authentication required"],
    [
      "the sender, when it is asked for the recipient",
      550,
      "5.1.8 Sender address rejected: Domain not found",
    ],
    ["the recipient for now", 450, "4.2.0 Greylisted"],
  ])("refuses %s is asked again, because the recipient was not refused", async (_what, status, text) => {
    await start({ onRecipient: () => ({ status, text }) });
    expect(await sendMail(RENDERED)).toMatchObject({
      result: "failed",
      permanent: false,
      responseCode: status,
    });
  });

  test("refuses the sender is asked again", async () => {
    await start({ refusedSender: "5.7.1 not from here" });
    expect(await sendMail(RENDERED)).toMatchObject({ result: "failed", permanent: false });
  });

  test.each([
    [550, "5.1.1 <ada@example.com>: Recipient address rejected: User unknown"],
    [552, "5.2.2 Mailbox full"],
    [550, "Unrouteable address"],
    [553, "5.1.3 bad address"],
  ])("refuses the recipient (%i %s) is not asked again", async (status, text) => {
    await start({ onRecipient: () => ({ status, text }) });
    expect(await sendMail(RENDERED)).toMatchObject({ result: "failed", permanent: true });
  });

  test("does not know the letters before the @ is named as the reason", async () => {
    await start({ onRecipient: () => ({ status: 553, text: "5.6.7 address not allowed" }) });
    const outcome = await sendMail({ ...RENDERED, recipient: "jürgen@example.com" });
    expect(outcome).toMatchObject({ permanent: true, reason: expect.stringContaining("SMTPUTF8") });
  });

  test.each(["starttls", "smtps"] as const)(
    "has a trusted certificate gets the email encrypted (%s)",
    async (tls) => {
      await start({ tls, password: "secret" });
      process.env.SMTP_URL = server.url.replace("//", "//trunkline:secret@");
      const trusted = getCACertificates("default");
      setDefaultCACertificates([...trusted, TEST_CERTIFICATE.cert]);
      try {
        const rendered = {
          id: "tls",
          recipient: "ada@example.com",
          subject: "TLS",
          text: "TLS",
          html: "TLS",
        };
        expect(await sendMail(rendered)).toEqual({ result: "sent" });
      } finally {
        setDefaultCACertificates(trusted);
      }
      expect(server.received).toMatchObject([{ secure: true }]);
    },
  );

  test("offers no STARTTLS gets neither the email nor the password when TLS is required", async () => {
    await start({ tls: "none" });
    process.env.SMTP_URL = `${server.url}?tls=required`;
    const rendered = {
      id: "plain",
      recipient: "ada@example.com",
      subject: "Plain",
      text: "Plain",
      html: "Plain",
    };

    expect(await sendMail(rendered)).toMatchObject({ result: "failed", code: "ETLS" });
    expect(server.received).toEqual([]);
  });
});

test("an email whose success could not be recorded is not sent again by the process that knows of it", async () => {
  await start();
  await sql.runText({
    text: `create function refuse_sent() returns trigger language plpgsql as
           $$ begin if new.sent_at is not null then raise exception 'no'; end if; return new; end $$`,
  });
  await sql.runText({
    text: "create trigger refuse_sent before update on outgoing_mails for each row execute function refuse_sent()",
  });
  queue = startMails();
  await send();
  await until(() => server.received.length === 1);
  // The lease ends before the process could record the success.
  await sql.runText({ text: "update outgoing_mails set leased_until = null" });
  wake("mails");
  await until(async () => ((await rows())[0]?.attempts ?? 0) >= 2);
  await sql.runText({ text: "drop trigger refuse_sent on outgoing_mails" });
  await until(async () => (await rows())[0]?.sent_at);

  expect(server.received).toHaveLength(1);
  await sql.runText({ text: "drop function refuse_sent" });
});

test("an email that could not be sent in time is given up and its link deleted", async () => {
  await start();
  await send({ usefulMs: 60_000 });
  setClock({ offsetMs: 61_000, frozenAt: null });
  queue = startMails();
  await until(async () => (await rows())[0]?.due_at === null);

  expect(await rows()).toMatchObject([{ sent_at: null, sealed: null }]);
  expect(server.received).toEqual([]);
});

test.each([
  ["Jürgen@Müller.Example", "jürgen@xn--mller-kva.example"],
  ["ada@bücher.example", "ada@xn--bcher-kva.example"],
  ["почта@пример.рф", "почта@xn--e1afmkfd.xn--p1ai"],
  [" Ada@EXAMPLE.com ", "ada@example.com"],
])("the address %s is %s, and mail reaches it", async (typed, address) => {
  expect(EmailAddress.parse(typed)).toBe(address);
  await start();
  expect(await sendMail({ ...RENDERED, recipient: address })).toEqual({ result: "sent" });
  // Servers may return the domain in either form.
  expect(server.received.map(({ to }) => toAsciiDomain(to[0] ?? ""))).toEqual([address]);
});

test.each([
  "a@b",
  "ü@",
  "@müller.example",
  "a b@müller.example",
  "a@mü ller.example",
  "a@müller.example/x",
  "a..b@x.example",
  "bac\u212a@example.com",
  "back@example.com.",
])("%s is no address", (text) => expect(EmailAddress.safeParse(text).success).toBe(false));

test("no text can add a header, a recipient or a tag", async () => {
  await start();
  const hostile = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constant("x\r\nBcc: eve@example.com\r\n\r\nbody"),
    fc.constant("x\u2028Bcc: eve@example.com"),
    fc.constant('"><img src=x onerror=alert(1)>'),
  );
  let count = 0;
  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (subject, text) => {
      const mail = { subject, paragraphs: [text], details: [[text, subject]] as [string, string][] };
      const rendered = renderMail(mail);
      expect(rendered.html).not.toMatch(/<img/);
      const outcome = await sendMail({ id: `id${++count}`, recipient: "ada@example.com", ...rendered });
      expect(outcome).toEqual({ result: "sent" });
      const received = server.received.at(-1);
      if (received === undefined) throw new Error("nothing was received");
      expect(received.to).toEqual(["ada@example.com"]);
      expect([...headersOf(received).keys()].sort()).toEqual(
        HEADERS.filter((name) => name !== "subject" || rendered.subject !== ""),
      );
    }),
    { numRuns: 60 },
  );
});

const HEADERS = [
  "auto-submitted",
  "content-type",
  "date",
  "from",
  "message-id",
  "mime-version",
  "subject",
  "to",
  "x-auto-response-suppress",
];

describe("the settings", () => {
  test.each([
    ["smtp://mail.example.com", { port: 587, secure: false, requireTls: false, user: null }],
    ["smtps://mail.example.com", { port: 465, secure: true, requireTls: false }],
    ["smtp://u%40x:p%2Fw@mail.example.com:25", { port: 25, requireTls: true, user: "u@x", password: "p/w" }],
    ["smtp://u:p@localhost:1025", { host: "localhost", requireTls: false }],
    ["smtp://relay.example.com?tls=required", { requireTls: true }],
  ])("%s is a mail server", (url, server) => {
    expect(parseSmtpUrl(url)).toMatchObject(server);
  });

  test.each(["mail.example.com", "https://mail.example.com", "smtp://", "smtp://x?tls=off", "smtp://%:p@x"])(
    "%s is not",
    (url) => expect(parseSmtpUrl(url)).toBeNull(),
  );

  test.each([
    ["no-reply@example.com", { name: "", address: "no-reply@example.com" }],
    ["Trunkline <no-reply@example.com>", { name: "Trunkline", address: "no-reply@example.com" }],
    ['"A, B" <ab@example.com>', { name: "A, B", address: "ab@example.com" }],
    ["Trunkline", null],
    ["A\r\nBcc: x@example.com <a@example.com>", null],
  ])("%j as a sender", (text, sender) => {
    expect(parseSender(text)).toEqual(sender);
  });
});

function only<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined || items.length !== 1) throw new Error(`${items.length} items instead of one`);
  return item;
}
