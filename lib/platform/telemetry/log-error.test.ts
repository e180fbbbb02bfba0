import "@/lib/testing/use-test-database";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { prisma, sql } from "@/lib/platform/database/db";
import { toLoggedError } from "@/lib/platform/telemetry/log-error";

const CANARY = "canary-in-a-value";

async function errorOf(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

describe("a logged error has no value of", () => {
  test.each<[string, () => unknown, Record<string, unknown>]>([
    ["JSON that can't be parsed", () => JSON.parse(`${CANARY}`), { type: "SyntaxError" }],
    ["JSON that ends early", () => JSON.parse(`{"text": "${CANARY}"`), { type: "SyntaxError" }],
    ["a URL that can't be parsed", () => new URL(CANARY), { code: "ERR_INVALID_URL" }],
    ["a request to an invalid URL", () => fetch(CANARY), { type: "TypeError" }],
    [
      "a statement with an unreadable value",
      () => sql.runText({ text: "select $1::uuid", values: [CANARY] }),
      { code: "22P02", message: 'invalid input syntax for type uuid: "[removed]"' },
    ],
    [
      "a row that violates a constraint",
      () =>
        sql.runText({
          text: "insert into users (id, email, name) values (gen_random_uuid(), $1, null)",
          values: [CANARY],
        }),
      { code: "23502", table: "users", column: "name" },
    ],
    [
      "a row that exists",
      async () => {
        const insert = {
          text: "insert into key_canaries (key_id, sealed) values ($1, '')",
          values: [CANARY],
        };
        await sql.runText(insert);
        await sql.runText(insert);
      },
      { code: "23505", constraint: "key_canaries_pkey" },
    ],
    [
      "a value that does not fit its schema",
      () => z.strictObject({ key: z.literal(CANARY) }).parse({ key: "", [CANARY]: 1 }),
      { type: "ZodError", message: "2 issues: key, (the value)" },
    ],
    [
      "a call of Prisma",
      () => prisma().user.findUnique({ where: { id: CANARY } }),
      { type: expect.stringMatching(/^PrismaClient/) },
    ],
  ])("%s", async (_name, work, logged) => {
    const error = await errorOf(work);
    expect(toLoggedError(error)).toMatchObject({ ...logged, stack: expect.any(String) });
    expect(JSON.stringify(toLoggedError(error))).not.toContain(CANARY);
    expect(JSON.stringify(toLoggedError(new Error("outer", { cause: error })))).not.toContain(CANARY);
    expect(JSON.stringify(toLoggedError(new AggregateError([error], "all failed")))).not.toContain(CANARY);
  });

  test("an error that is an object, as NextAuth's", () => {
    const logged = toLoggedError({ error: new TypeError("broken"), email: CANARY });
    expect(logged).toMatchObject({ type: "TypeError", message: "broken" });
    expect(JSON.stringify(logged)).not.toContain(CANARY);
    expect(toLoggedError(CANARY)).toEqual({ type: "string" });
  });
});

test("a logged error keeps its cause, its codes and its stack", () => {
  const cause = Object.assign(new Error("connect ECONNREFUSED"), {
    code: "ECONNREFUSED",
    syscall: "connect",
  });
  expect(toLoggedError(new Error("could not send", { cause }))).toMatchObject({
    type: "Error",
    message: "could not send",
    stack: expect.stringContaining("log-error.test"),
    cause: { message: "connect ECONNREFUSED", code: "ECONNREFUSED", syscall: "connect" },
  });
});
