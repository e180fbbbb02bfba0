import "@/lib/testing/use-test-database";

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { servicecard } from "@/lib/adapters/card-providers/servicecard/servicecard";
import { decideCharge } from "@/lib/payments/agent-payments/cards/decide-charge";
import { sql } from "@/lib/platform/database/db";
import { minorUnits } from "@/lib/platform/text/money";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { startSending } from "@/lib/testing/payments/connect-customer";
import { createPayer, grantConsent } from "@/lib/testing/payments/create-payer";

const original = { ...servicecard };

let account: TestAccount;
let stopSending: () => Promise<void>;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  stopSending = startSending();
});

afterEach(() => Object.assign(servicecard, original));
afterAll(() => stopSending());

const call = (what: `${string} ${string}`, body?: unknown) => callApi(what, { token: account.token, body });
const pay = (handle: string, amount_cents = 4200) =>
  call("POST /v3/payments", { amount_cents, currency: "usd", handle });
const revoke = (handle: string) => call(`DELETE /v3/payments/handles/${handle}/connection`);
const statusOf = async (id: string) => (await call(`GET /v3/payments/${id}`)).body.status;
const credentialsOf = (id: string) => call(`GET /v3/payments/${id}/credentials`);

async function cardOf(paymentId: string): Promise<string | undefined> {
  const [card] = await sql.runText<{ status: string }>({
    text: "select status::text from servicecard_cards where payment_id = $1",
    values: [paymentId],
  });
  return card?.status;
}

async function openCardsOf(handle: string): Promise<number> {
  const cards = await sql.runText({
    text: `select 1 from servicecard_cards c join agent_payments p on p.id = c.payment_id
           where p.account_id = $1 and p.handle = $2 and c.status = 'open'`,
    values: [account.ref.id, handle],
  });
  return cards.length;
}

async function chargeOf(paymentId: string): Promise<boolean> {
  const [row] = await sql.runText<{ card_ref: string }>({
    text: "select card_ref from agent_payments where id = $1",
    values: [paymentId],
  });
  const merchant = { name: "Harbor Kitchen", url: null };
  const card = { accountId: account.ref.id, cardRef: row?.card_ref ?? "" };
  const request = { ...card, chargeRef: crypto.randomUUID(), merchant };
  return decideCharge({
    provider: "servicecard",
    eventId: crypto.randomUUID(),
    request: { ...request, amountMinor: minorUnits(4200, "usd"), currency: "usd" },
  });
}

async function revocationsOf(handle: string): Promise<number> {
  const events = await sql.runText({
    text: "select 1 from events where account_id = $1 and type = 'connection.revoked' and data->>'handle' = $2",
    values: [account.ref.id, handle],
  });
  return events.length;
}

describe("a customer revoked while the provider is down", () => {
  const goDown = () =>
    Object.assign(servicecard, { close: () => Promise.reject(new AdapterError("not_reachable", "down")) });

  test("is revoked at once: no card is handed out and no charge approved", async () => {
    const handle = await createPayer(account);
    const { id } = (await pay(handle)).body;
    expect((await credentialsOf(id)).status).toBe(200);
    goDown();
    const { status, body } = await revoke(handle);
    expect([status, body.error.code]).toEqual([500, 3003]);

    expect((await call(`GET /v3/payments/handles/${handle}/connection`)).body.status).toBe("revoked");
    const refused = await credentialsOf(id);
    expect([refused.status, refused.body.error.code]).toEqual([409, 2015]);
    expect(await chargeOf(id)).toBe(false);
    expect(await statusOf(id)).toBe("ready");
  });

  test("has every card closed by the same call again, with one event", async () => {
    const handle = await createPayer(account);
    const ids = [(await pay(handle)).body.id, (await pay(handle, 4300)).body.id];
    goDown();
    expect((await revoke(handle)).status).toBe(500);
    expect((await revoke(handle)).status).toBe(500);
    Object.assign(servicecard, original);

    expect((await revoke(handle)).body).toEqual({ handle, status: "revoked" });
    for (const id of ids) expect([await statusOf(id), await cardOf(id)]).toEqual(["canceled", "closed"]);
    expect(await revocationsOf(handle)).toBe(1);
  });

  test("keeps no card open because another could not be closed", async () => {
    const handle = await createPayer(account);
    const stuck = (await pay(handle)).body.id;
    const { card_ref } = (await credentialsOf(stuck)).body.handoff;
    const other = (await pay(handle, 4300)).body.id;
    Object.assign(servicecard, {
      close: (accountId: string, cardRef: string) =>
        cardRef === card_ref
          ? Promise.reject(new AdapterError("not_reachable", "down"))
          : original.close(accountId, cardRef),
    });
    expect((await revoke(handle)).status).toBe(500);
    expect([await statusOf(stuck), await statusOf(other)]).toEqual(["ready", "canceled"]);
  });
});

test("a connected customer's charge is approved, and a revocation that comes later leaves it", async () => {
  const handle = await createPayer(account);
  const { id } = (await pay(handle)).body;
  expect(await chargeOf(id)).toBe(true);
  expect(await statusOf(id)).toBe("authorized");
  expect((await revoke(handle)).body.status).toBe("revoked");
  expect(await statusOf(id)).toBe("authorized");
});

describe("a customer revoked while a card is being made", () => {
  test("before it is asked for: none is made, and the payment asks for consent", async () => {
    const handle = await createPayer(account);
    Object.assign(servicecard, {
      hasCard: async (customer: Parameters<typeof servicecard.hasCard>[0]) => {
        await revoke(handle);
        return original.hasCard(customer);
      },
    });
    const { status, body } = await pay(handle);
    expect([status, body.status, body.id]).toEqual([200, "needs_connection", undefined]);
    expect(await openCardsOf(handle)).toBe(0);
  });

  test("after it was asked for: the payment is canceled and the card closed", async () => {
    const handle = await createPayer(account);
    Object.assign(servicecard, {
      mint: async (order: Parameters<typeof servicecard.mint>[0]) => {
        const card = await original.mint(order);
        await revoke(handle);
        return card;
      },
    });
    const { body } = await pay(handle);
    expect(body.status).toBe("canceled");
    expect([await statusOf(body.id), await cardOf(body.id)]).toEqual(["canceled", "closed"]);
  });

  test("at whatever moment, no card stays open", async () => {
    const handle = await createPayer(account);
    for (let round = 0; round < 20; round++) {
      await grantConsent(account, handle);
      const paid = Array.from({ length: 3 }, (_, index) => pay(handle, 2 + round * 3 + index));
      await Promise.all([...paid, revoke(handle)]);
      expect([round, await openCardsOf(handle)]).toEqual([round, 0]);
    }
  });
});
