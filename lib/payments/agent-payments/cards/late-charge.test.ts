import { captureLog } from "@/lib/testing/capture-log";

import "@/lib/testing/use-test-database";

import { afterAll, beforeAll, expect, test } from "vitest";
import { decideCharge } from "@/lib/payments/agent-payments/cards/decide-charge";
import { recordCardEvent } from "@/lib/payments/agent-payments/cards/record-card-event";
import { sql, transaction } from "@/lib/platform/database/db";
import { minorUnits } from "@/lib/platform/text/money";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { startSending } from "@/lib/testing/payments/connect-customer";
import { createPayer } from "@/lib/testing/payments/create-payer";
import { until } from "@/lib/testing/until";

const logged = captureLog();

let account: TestAccount;
let stopSending: () => Promise<void>;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  stopSending = startSending();
});

afterAll(() => stopSending());

interface Card {
  id: string;
  card_ref: string;
}

async function readyCard(): Promise<Card> {
  const handle = await createPayer(account);
  const [card] = await sql.runText<Card>({
    text: "select id, card_ref from agent_payments where account_id = $1 and handle = $2",
    values: [account.ref.id, handle],
  });
  if (card === undefined) throw new Error("there is no ready payment");
  return card;
}

function ask({ card_ref }: Card, accountId = account.ref.id): Promise<boolean> {
  const merchant = { name: "Harbor Kitchen", url: null };
  const request = { accountId, cardRef: card_ref, chargeRef: crypto.randomUUID(), merchant };
  return decideCharge({
    provider: "servicecard",
    eventId: crypto.randomUUID(),
    request: { ...request, amountMinor: minorUnits(1, "usd"), currency: "usd" },
  });
}

async function outcomeOf({ id }: Card) {
  const { body } = await callApi(`GET /v3/payments/${id}`, { token: account.token });
  const events = await sql.runText({
    text: "select 1 from events where account_id = $1 and type = 'payment.authorized' and data->>'id' = $2",
    values: [account.ref.id, id],
  });
  return [body.status, events.length];
}

test("a charge that was declined for being late is neither approved afterwards nor reported", async () => {
  const card = await readyCard();
  const hasEnded = () => logged.some((line) => line.includes("a charge could not be evaluated"));
  const usualSeconds = process.env.CHARGE_TIMEOUT_SECONDS;
  process.env.CHARGE_TIMEOUT_SECONDS = "1.5";
  await transaction(async (tx) => {
    await tx.runText({ text: "select 1 from agent_payments where id = $1 for update", values: [card.id] });
    expect(await ask(card)).toBe(false);
    expect(hasEnded()).toBe(false);
  });
  process.env.CHARGE_TIMEOUT_SECONDS = usualSeconds;
  // The transaction that waited for the row lock ends only now.
  await until(hasEnded);
  expect(await outcomeOf(card)).toEqual(["ready", 0]);

  expect(await ask(card)).toBe(true);
  expect(await outcomeOf(card)).toEqual(["authorized", 1]);
});

test("a charge that is reported for another account neither reads nor moves the payment of the card", async () => {
  const card = await readyCard();
  const other = await createTestAccount({ type: "sandbox" });

  expect(await ask(card, other.ref.id)).toBe(false);
  const declined = {
    provider: "servicecard",
    cardRef: card.card_ref,
    on: "declined",
    at: new Date(),
  } as const;
  const moved = await transaction((tx) => recordCardEvent(tx, { accountId: other.ref.id, ...declined }));

  expect(moved).toBeNull();
  expect(await outcomeOf(card)).toEqual(["ready", 0]);
});
