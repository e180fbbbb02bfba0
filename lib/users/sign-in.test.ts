import "@/lib/testing/use-test-database";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPartner } from "@/lib/accounts/create-partner";
import { setClock } from "@/lib/platform/clock";
import { prisma } from "@/lib/platform/db";
import { createUser } from "@/lib/users/create-user";
import { lockSeconds } from "@/lib/users/lock-seconds";
import { setPasswordByLink } from "@/lib/users/set-password";
import { signIn, signInVouchedFor } from "@/lib/users/sign-in";
import { findSignInLink } from "@/lib/users/sign-in-link";

const PASSWORD = "correct horse battery";
const START = new Date("2026-03-01T12:00:00Z");
let people = 0;
let partnerId: string;
let email: string;

beforeEach(async () => {
  setClock({ offsetMs: 0, frozenAt: START });
  partnerId = (await createPartner(`Partner ${++people}`)).id;
  email = `person${people}@example.com`;
});

afterEach(() => setClock(null));

function at(seconds: number): void {
  setClock({ offsetMs: 0, frozenAt: new Date(START.getTime() + seconds * 1000) });
}

/** A user who has set a password by the one-time link. */
async function createPerson(): Promise<string> {
  const { userId, link } = await createUser({ partnerId, email, name: "Person", role: "developer" });
  expect(await setPasswordByLink(link?.token ?? "", PASSWORD)).toBe(email);
  return userId;
}

async function failTimes(times: number, address = email): Promise<string[]> {
  const outcomes: string[] = [];
  for (let time = 0; time < times; time++) outcomes.push((await signIn(address, "wrong")).outcome);
  return outcomes;
}

test("the right password signs in, whatever the case of the e-mail", async () => {
  const userId = await createPerson();

  const result = await signIn(` ${email.toUpperCase()} `, PASSWORD);

  expect(result).toMatchObject({ outcome: "signed_in", user: { id: userId, email } });
});

test("a wrong password, an unknown e-mail and a user without a password are refused alike", async () => {
  await createPerson();
  await createUser({ partnerId, email: `new-${email}`, name: "New", role: "viewer" });

  expect(await signIn(email, "wrong")).toEqual({ outcome: "refused" });
  expect(await signIn(`nobody-${email}`, PASSWORD)).toEqual({ outcome: "refused" });
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

test("an e-mail nobody has locks just as a real one", async () => {
  const nobody = `nobody-${email}`;
  expect(await failTimes(5, nobody)).toEqual(Array(5).fill("refused"));

  expect(await signIn(nobody, "wrong")).toEqual({ outcome: "locked", retryAfterSeconds: 1 });
  at(1);
  expect(await signIn(nobody, "wrong")).toEqual({ outcome: "refused" });
  expect(await signIn(nobody, "wrong")).toEqual({ outcome: "locked", retryAfterSeconds: 2 });
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
])("after %i failures nobody may try for %i s", (failures, seconds) => {
  expect(lockSeconds(failures)).toBe(seconds);
});

test("a one-time link works once, for 24 hours", async () => {
  const { link } = await createUser({ partnerId, email, name: "Person", role: "viewer" });
  const token = link?.token ?? "";
  at(24 * 3600 - 1);
  expect(await findSignInLink(token)).toEqual({ name: "Person", email });
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

  expect(joined).toEqual({ userId, link: null });
});

test("single sign-on lets in only users that exist", async () => {
  const userId = await createPerson();

  expect(await signInVouchedFor(email.toUpperCase())).toMatchObject({ id: userId });
  expect(await signInVouchedFor(`nobody-${email}`)).toBeNull();
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
    "user.created",
    "user.password_set",
    "user.sign_in_failed",
    "user.signed_in",
  ]);
  expect(entries.every((entry) => entry.objectId === userId)).toBe(true);
  expect(JSON.stringify(entries)).not.toMatch(/correct horse|a wrong password/);
});
