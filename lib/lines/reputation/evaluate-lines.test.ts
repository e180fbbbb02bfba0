import "@/lib/testing/use-test-database";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { release } from "@/lib/lines/assignment/release-line";
import { setLineStatus } from "@/lib/lines/lines/set-line-status";
import { evaluateLines } from "@/lib/lines/reputation/evaluate-lines";
import { type ChatCounts, lineReputation } from "@/lib/lines/reputation/line-reputation";
import { prisma, type Sql, sql, transaction } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { untilLocked } from "@/lib/testing/database/until-locked";

let account: TestAccount;
let chats: string[];

beforeEach(async () => {
  account = await createTestAccount({ type: "production" });
  chats = [];
  for (let n = 0; n < 20; n++) chats.push((await account.sendFirst(`+1415555${String(1000 + n)}`)).chatId);
});

const evaluate = () => evaluateLines(new AbortController().signal);
const lineOf = () => prisma().line.findFirstOrThrow({ where: { accountId: account.ref.id } });
const changes = () =>
  sql.runText<{ data: object }>({
    text: "select data from events where account_id = $1 and type = 'phone_number.status_updated' order by seq",
    values: [account.ref.id],
  });

async function make(health: string, count: number): Promise<void> {
  await sql.runText({
    text: `update chats set health_status = $3::health_status, health_updated_at = now()
           where account_id = $1 and id = any($2::uuid[])`,
    values: [account.ref.id, chats.slice(0, count), health],
  });
}

describe("the rule", () => {
  const counts = fc.record({
    chats: fc.nat(200),
    atRisk: fc.nat(200),
    critical: fc.nat(200),
    optedOut: fc.nat(200),
  });

  test("flags at 30 % of at least 20 chats, never for those at risk alone, and more bad chats never help", () => {
    const order = ["HEALTHY", "AT_RISK", "CRITICAL"];
    const rank = (some: ChatCounts) => order.indexOf(lineReputation(some).reputation);
    fc.assert(
      fc.property(counts, (some) => {
        const bad = some.critical + some.optedOut;
        expect(lineReputation(some).isToFlag).toBe(some.chats >= 20 && bad / some.chats >= 0.3);
        expect(rank({ ...some, critical: some.critical + 1 })).toBeGreaterThanOrEqual(rank(some));
      }),
    );
  });
});

describe("a line", () => {
  test("is flagged when 30 % of its 20 chats are critical or opted out, tells it, refuses writes, and is cleared", async () => {
    await evaluate();
    await make("CRITICAL", 5);
    await evaluate();
    expect(await lineOf()).toMatchObject({ status: "ACTIVE", reputation: "AT_RISK" });

    await make("OPTED_OUT", 6);
    await evaluate();
    expect(await lineOf()).toMatchObject({
      status: "FLAGGED",
      reputation: "CRITICAL",
      flaggedBy: "reputation",
    });
    expect((await changes()).at(-1)?.data).toMatchObject({
      previous: { status: "ACTIVE", reputation: "AT_RISK" },
      current: { status: "FLAGGED", reputation: "CRITICAL" },
    });
    const body = { message: { parts: [{ type: "text", value: "hello" }] } };
    const refused = await callApi(`POST /v3/chats/${chats[19]}/messages`, { token: account.token, body });
    expect(refused.body.error.code).toBe(2027);

    await make("HEALTHY", 6);
    await evaluate();
    expect(await lineOf()).toMatchObject({ status: "ACTIVE", reputation: "HEALTHY", flaggedBy: null });
  });

  test("that an operator flagged stays so whatever its chats are", async () => {
    const { id } = await lineOf();
    await setLineStatus(account.context(), id, "FLAGGED");
    await evaluate();
    expect(await lineOf()).toMatchObject({ status: "FLAGGED", flaggedBy: "operator" });
  });

  test("that an operator has cleared is not flagged again at once", async () => {
    await make("CRITICAL", 10);
    await evaluate();
    const { id } = await lineOf();
    await setLineStatus(account.context(), id, "ACTIVE");
    await make("CRITICAL", 11);
    await evaluate();
    expect(await lineOf()).toMatchObject({ status: "ACTIVE", reputation: "CRITICAL" });
  });

  test("that cannot be evaluated does not delay the others, and is evaluated in the next round", async () => {
    await evaluate();
    const broken = await createTestAccount({ type: "production" });
    await broken.sendFirst("+14155552000");
    await make("CRITICAL", 5);
    await sql.runText({
      text: `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`,
    });
    await sql.runText({
      text: `create trigger refuse before update on lines for each row
             when (old.account_id = '${broken.ref.id}') execute function refuse()`,
    });
    expect(await evaluate()).toBe(1);
    expect(await lineOf()).toMatchObject({ reputation: "AT_RISK" });

    await sql.runText({ text: "drop trigger refuse on lines" });
    await evaluate();
    const line = await prisma().line.findFirstOrThrow({ where: { accountId: broken.ref.id } });
    expect(line.evaluatedAt).not.toBeNull();
  });

  test("no event is emitted without a change, and a line without recent chat activity is not evaluated", async () => {
    await evaluate();
    const emitted = (await changes()).length;
    await sql.runText({
      text: "update chats set health_updated_at = now() - interval '1 hour' where account_id = $1",
      values: [account.ref.id],
    });
    expect(await evaluate()).toBe(0);
    expect((await changes()).length).toBe(emitted);
  });

  /** Releases the line in a transaction, after its messages were sent. */
  async function releaseIn(tx: Sql): Promise<void> {
    await tx.runText({
      text: "update messages set dispatch_at = null where account_id = $1",
      values: [account.ref.id],
    });
    await release(tx, account.context(), (await lineOf()).id);
  }

  test("that was released is not evaluated, although the health of its chats has changed", async () => {
    await evaluate();
    await make("CRITICAL", 10);
    const before = [await lineOf(), await changes()];
    await transaction(releaseIn);

    expect(await evaluate()).toBe(0);
    expect([await lineOf(), await changes()]).toEqual([
      { ...before[0], releasedAt: expect.any(Date) },
      before[1],
    ]);
  });

  test("that is released while it is being evaluated stays as it was", async () => {
    await evaluate();
    await make("CRITICAL", 10);
    const before = [await lineOf(), await changes()];
    const { evaluating } = await transaction(async (tx) => {
      await releaseIn(tx);
      const evaluating = evaluate();
      await untilLocked();
      return { evaluating };
    });

    await evaluating;
    expect([await lineOf(), await changes()]).toEqual([
      { ...before[0], releasedAt: expect.any(Date) },
      before[1],
    ]);
  });
});
