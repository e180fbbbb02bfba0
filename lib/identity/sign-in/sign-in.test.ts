import "@/lib/testing/use-test-database";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPartner } from "@/lib/identity/accounts/create-partner";
import { setPasswordByLink } from "@/lib/identity/passwords/set-password";
import { createUser } from "@/lib/identity/people/create-user";
import { newDeviceToken } from "@/lib/identity/sessions/known-device";
import { lockSeconds } from "@/lib/identity/sign-in/lock-seconds";
import { signIn } from "@/lib/identity/sign-in/sign-in";
import { findSignInLink } from "@/lib/identity/users/sign-in-link";
import { prisma } from "@/lib/platform/database/db";
import { runForClient } from "@/lib/platform/http/request-client";
import { newId } from "@/lib/platform/ids";
import { setClock } from "@/lib/platform/time/clock";
import { countStatements } from "@/lib/testing/database/count-statements";
import { signOnAs } from "@/lib/testing/sign-in/sign-on-as";

const PASSWORD = "correct horse battery";
const START = new Date("2026-03-01T12:00:00Z");
let people = 0;
let partnerId: string;
let email: string;

beforeEach(async () => {
  setClock({ offsetMs: 0, frozenAt: START });
  partnerId = (await createPartner(`Partner ${++people}`)).id;
  await prisma().signInThrottle.deleteMany();
  email = `person${people}@example.com`;
});

afterEach(() => setClock(null));

function at(seconds: number): void {
  setClock({ offsetMs: 0, frozenAt: new Date(START.getTime() + seconds * 1000) });
}

/** Creates a user who has set a password through the one-time link. */
async function createPerson(): Promise<string> {
  const { userId, link } = await createUser({ partnerId, email, name: "Person", role: "developer" });
  expect(await setPasswordByLink(link?.token ?? "", PASSWORD)).toBe(email);
  return userId;
}

/** Runs work as requests of a client at an IP address. */
function from<Result>(address: string, work: () => Result): Result {
  return runForClient({ address, userAgent: "test" }, work);
}

async function failTimes(times: number, address = email): Promise<string[]> {
  const outcomes: string[] = [];
  for (let time = 0; time < times; time++) outcomes.push((await signIn(address, "wrong")).outcome);
  return outcomes;
}

test("the right password signs in, whatever the case of the email", async () => {
  const userId = await createPerson();

  const result = await signIn(` ${email.toUpperCase()} `, PASSWORD);

  expect(result).toMatchObject({ outcome: "signed_in", user: { id: userId, email } });
});

test("a wrong password, an unknown email and a user without a password are refused alike", async () => {
  await createPerson();
  await createUser({ partnerId, email: `new-${email}`, name: "New", role: "viewer" });

  expect(await signIn(email, "wrong")).toEqual({ outcome: "refused" });
  expect(await signIn(`unknown-${email}`, PASSWORD)).toEqual({ outcome: "refused" });
  expect(await signIn(`new-${email}`, PASSWORD)).toEqual({ outcome: "refused" });
  expect(await signIn("no address", PASSWORD)).toEqual({ outcome: "refused" });
});

test("after five failures even the right password waits, and a sign-in clears the count", async () => {
  await createPerson();
  expect(await failTimes(5)).toEqual(Array(5).fill("refused"));

  expect(await signIn(email, PASSWORD)).toEqual({ outcome: "locked", retryAfterSeconds: 1 });
  at(1);
  expect(await signIn(email, PASSWORD)).toMatchObject({ outcome: "signed_in" });
  expect(await failTimes(4)).toEqual(Array(4).fill("refused"));
});

test("an unknown email address is locked like a known one", async () => {
  const unknown = `unknown-${email}`;
  expect(await failTimes(5, unknown)).toEqual(Array(5).fill("refused"));

  expect(await signIn(unknown, "wrong")).toEqual({ outcome: "locked", retryAfterSeconds: 1 });
  at(1);
  expect(await signIn(unknown, "wrong")).toEqual({ outcome: "refused" });
  expect(await signIn(unknown, "wrong")).toEqual({ outcome: "locked", retryAfterSeconds: 2 });
});

test("attempts made at once do not slip past the lock", async () => {
  await createPerson();

  const results = await Promise.all(Array.from({ length: 20 }, () => signIn(email, "wrong")));

  expect(results.filter((result) => result.outcome === "refused")).toHaveLength(5);
});

test.each([
  [4, 0],
  [5, 1],
  [6, 2],
  [9, 16],
  [14, 512],
  [15, 900],
  [500, 900],
])("after %i failures, four of them free, the next attempt waits %i s", (failures, seconds) => {
  expect(lockSeconds(failures, 5)).toBe(seconds);
});

test("a stranger's failures do not lock the person out, on a known device or at another address", async () => {
  const userId = await createPerson();
  const device = newDeviceToken(userId);
  await from("203.0.113.66", () => failTimes(9));

  const stranger = await from("203.0.113.66", () => signIn(email, PASSWORD));
  const atHome = await from("198.51.100.7", () => signIn(email, PASSWORD));
  const known = await from("203.0.113.66", () => signIn(email, PASSWORD, { device }));

  expect(stranger).toMatchObject({ outcome: "locked" });
  expect([atHome.outcome, known.outcome]).toEqual(["signed_in", "signed_in"]);
});

test("a known device is one of its own user only, and its own failures lock it", async () => {
  const userId = await createPerson();
  const stolen = newDeviceToken(newId(Date.now()));
  const own = newDeviceToken(userId);
  await from("203.0.113.67", () => failTimes(5));

  const withOthers = await from("203.0.113.67", () => signIn(email, PASSWORD, { device: stolen }));
  for (let time = 0; time < 5; time++) await signIn(email, "wrong", { device: own });

  expect(withOthers).toMatchObject({ outcome: "locked" });
  expect(await signIn(email, PASSWORD, { device: own })).toMatchObject({ outcome: "locked" });
});

test("one address cannot spray passwords over many accounts, and one good account does not open it again", async () => {
  await createPerson();
  await from("2001:db8:5:5::1", async () => {
    for (let account = 0; account < 50; account++) await signIn(`spray${account}@example.com`, "wrong");
  });

  const sameNetwork = await from("2001:db8:5:5::2", () => signIn(`another@example.com`, "wrong"));
  expect(sameNetwork).toEqual({ outcome: "locked", retryAfterSeconds: 1 });
  at(1);
  expect(await from("2001:db8:5:5::2", () => signIn(email, PASSWORD))).toMatchObject({
    outcome: "signed_in",
  });
  expect(await from("2001:db8:5:5::2", () => signIn(email, PASSWORD))).toMatchObject({
    outcome: "locked",
    retryAfterSeconds: 2,
  });
  expect(await from("2001:db8:5:6::1", () => signIn(email, PASSWORD))).toMatchObject({
    outcome: "signed_in",
  });
});

test("the client's address is on the audit of a sign-in and of a failure", async () => {
  const userId = await createPerson();
  await from("198.51.100.9", async () => {
    await signIn(email, "wrong");
    await signIn(email, PASSWORD);
  });

  const entries = await prisma().auditEntry.findMany({
    where: { objectId: userId, action: { startsWith: "user.sign" } },
    orderBy: { id: "asc" },
  });
  expect(entries.map(({ action, address }) => [action, address])).toEqual([
    ["user.sign_in_failed", "198.51.100.9"],
    ["user.signed_in", "198.51.100.9"],
  ]);
});

test("a one-time link works once, for 24 hours", async () => {
  const { link } = await createUser({ partnerId, email, name: "Person", role: "viewer" });
  const token = link?.token ?? "";
  at(24 * 3600 - 1);
  expect(await findSignInLink(token)).toMatchObject({ name: "Person", email, isNew: true });
  at(24 * 3600);
  expect(await setPasswordByLink(token, PASSWORD)).toBeNull();
  at(10);
  expect(await setPasswordByLink(token, PASSWORD)).toBe(email);

  expect(await setPasswordByLink(token, "another password")).toBeNull();
  expect(await signIn(email, PASSWORD)).toMatchObject({ outcome: "signed_in" });
});

test("a second link ends the first, and the link itself is nowhere in the database", async () => {
  const first = await createUser({ partnerId, email, name: "Person", role: "viewer" });
  const second = await createUser({ partnerId, email, name: "Person", role: "viewer" });

  expect(await findSignInLink(first.link?.token ?? "")).toBeNull();
  expect(await findSignInLink(second.link?.token ?? "")).not.toBeNull();
  const rows = await prisma().signInLink.findMany({ where: { userId: second.userId } });
  expect(JSON.stringify(rows)).not.toContain(second.link?.token);
});

test("a user with a password who joins another partner keeps it and gets no link", async () => {
  const userId = await createPerson();
  const other = await createPartner("Other");

  const joined = await createUser({ partnerId: other.id, email, name: "Person", role: "admin" });

  expect(joined).toEqual({ userId, link: null, emailed: false });
});

test("a refused password costs as many statements for an unknown address as for a known one", async () => {
  await createPerson();
  await failTimes(1);
  await failTimes(1, `unknown-${email}`);

  const known = await countStatements(() => failTimes(1));
  const unknown = await countStatements(() => failTimes(1, `unknown-${email}`));

  expect(unknown).toBe(known);
});

test("single sign-on lets in only users that exist", async () => {
  const userId = await createPerson();

  expect(await signOnAs(email)).toMatchObject({ outcome: "signed_in", user: { id: userId } });
  expect(await signOnAs(`unknown-${email}`)).toEqual({ outcome: "refused", reason: "unknown" });
});

test("sign-ins and failures are in the partner's audit trail, without the password", async () => {
  const userId = await createPerson();
  await signIn(email, "a wrong password");
  await signIn(email, PASSWORD);

  const entries = await prisma().auditEntry.findMany({
    where: { partnerId, objectType: "user" },
    orderBy: { id: "asc" },
  });

  expect(entries.map((entry) => entry.action)).toEqual([
    "user.invited",
    "user.password_set",
    "user.sign_in_failed",
    "user.signed_in",
  ]);
  expect(entries.every((entry) => entry.objectId === userId)).toBe(true);
  expect(JSON.stringify(entries)).not.toMatch(/correct horse|a wrong password/);
});
