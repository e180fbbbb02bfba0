import "@/lib/testing/use-test-database";

import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { describeCardProvider } from "@/lib/adapters/card-providers/conformance";
import { codeOf, numberOf } from "@/lib/adapters/card-providers/servicecard/card-number";
import { servicecard } from "@/lib/adapters/card-providers/servicecard/servicecard";
import { vault } from "@/lib/adapters/card-providers/servicecard/vault";
import { sql, transaction } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { minorUnits } from "@/lib/platform/text/money";
import { now, setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";

afterEach(() => setClock(null));

const uuid = () => newId(now().getTime());
const newCustomer = () => ({ accountId: uuid(), handle: "+16665550100" });
const attach = (customer: ReturnType<typeof newCustomer>, card = "pays") =>
  transaction((tx) => vault.attach(tx, customer, card));

describe("as every provider", () => {
  describeCardProvider(() => ({
    provider: servicecard,
    newCustomer,
    newPaymentId: uuid,
    attach,
    async fetchCard(fetchUrl, userToken) {
      const headers = { authorization: `Bearer ${userToken}` };
      const { status, body } = await callApi(`GET ${new URL(fetchUrl).pathname}`, { headers });
      return status === 200 ? body : null;
    },
  }));
});

async function mint(card = "pays") {
  const customer = newCustomer();
  await attach(customer, card);
  const order = { ...customer, paymentId: uuid(), amountMinor: minorUnits(4200, "usd"), currency: "usd" };
  const { cardRef } = await servicecard.mint({ ...order, merchant: { name: null, url: null } });
  return { ...order, cardRef, number: numberOf(cardRef), cvc: codeOf(cardRef) };
}

type Minted = Awaited<ReturnType<typeof mint>>;

const charge = ({ number, cvc }: Minted, more: object = {}) =>
  transaction((tx) =>
    vault.charge(tx, {
      number,
      cvc,
      amountMinor: minorUnits(4200, "usd"),
      currency: "usd",
      capture: true,
      ...more,
    }),
  );

test("no card is minted for a wallet without a card", async () => {
  const order = { ...newCustomer(), paymentId: uuid(), amountMinor: minorUnits(1, "usd"), currency: "usd" };
  const minted = servicecard.mint({ ...order, merchant: { name: null, url: null } });
  await expect(minted).rejects.toThrow(AdapterError);
});

test("every number is a test number with the right check digit", () => {
  fc.assert(
    fc.property(fc.uuid(), (ref) => {
      const digits = [...numberOf(ref)].map(Number).reverse();
      const sum = digits.reduce((total, digit, index) => {
        const value = index % 2 === 1 ? digit * 2 : digit;
        return total + (value > 9 ? value - 9 : value);
      }, 0);
      expect(numberOf(ref)).toMatch(/^400000\d{10}$/);
      expect(sum % 10).toBe(0);
      expect(codeOf(ref)).toMatch(/^\d{3}$/);
    }),
  );
});

test("a token is good for five minutes", async () => {
  const { accountId, cardRef } = await mint();
  const { userToken } = await servicecard.handoff(accountId, cardRef);
  expect(await vault.reveal(cardRef, userToken)).not.toBeNull();
  setClock({ offsetMs: 5 * 60_000 + 1000, frozenAt: null });
  expect(await vault.reveal(cardRef, userToken)).toBeNull();
});

test("a charge within the card's amount is authorized and captured, once", async () => {
  const card = await mint();
  expect(await charge(card)).toMatchObject({ events: ["authorized", "captured"], reason: null });
  expect(await charge(card)).toMatchObject({ events: [], reason: "card_closed" });
});

test("an authorization is captured later", async () => {
  const card = await mint();
  expect(await charge(card, { capture: false })).toMatchObject({ events: ["authorized"] });
  expect(await charge(card, { capture: false })).toMatchObject({ events: [] });
  expect(await charge(card)).toMatchObject({ events: ["captured"] });
});

test.each([
  ["over the amount", { amountMinor: minorUnits(4201, "usd") }, "over_limit"],
  ["in another currency", { currency: "eur" }, "currency_not_allowed"],
])("a charge %s is declined", async (_, more, reason) => {
  expect(await charge(await mint(), more)).toMatchObject({ events: ["declined"], reason });
});

test("a card that declines declines", async () => {
  expect(await charge(await mint("declines"))).toMatchObject({
    events: ["declined"],
    reason: "do_not_honor",
  });
});

test("a wrong number or code touches no card", async () => {
  const card = await mint();
  const wrong = { accountId: null, reason: "incorrect_number_or_cvc" };
  expect(await charge(card, { cvc: card.cvc === "000" ? "001" : "000" })).toEqual(wrong);
  expect(await charge(card, { number: "4000000000000002" })).toEqual(wrong);
  expect(await charge(card)).toMatchObject({ reason: null });
});

test("twenty charges at once take the money once", async () => {
  const card = await mint();
  const results = await Promise.all(Array.from({ length: 20 }, () => charge(card)));
  expect(results.filter(({ reason }) => reason === null)).toHaveLength(1);
});

test("no number is stored", async () => {
  const { number } = await mint();
  const rows = await sql.runText<{ row: string }>({ text: "select c::text as row from servicecard_cards c" });
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain(number);
});
