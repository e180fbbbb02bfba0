import "server-only";
import type {
  CardEvent,
  ChargeResult,
  SandboxVault,
  TestCharge,
} from "@/lib/adapters/card-providers/card-provider";
import { codeOf, numberOf, tagOf } from "@/lib/adapters/card-providers/servicecard/card-number";
import { isUserToken } from "@/lib/adapters/card-providers/servicecard/user-token";
import { type Sql, sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

const TEST_CARDS = [
  { name: "pays", label: "Test card: payment succeeds" },
  { name: "declines", label: "Test card: card is declined" },
] as const;

type CardRow = RowOf<"lock-servicecard">;

const STORE_WALLET_CARD = plannedStatement(
  "store-wallet-card",
  `insert into servicecard_wallets (account_id, handle, card, created_at) values (:accountId, :handle, :card, :now)
  on conflict (account_id, handle) do update set card = excluded.card`,
);

const FIND_REVEALED_SERVICECARD = plannedStatement(
  "find-revealed-servicecard",
  "select created_at from servicecard_cards where card_ref = :cardRef and status = 'open'",
);

/** The only code that handles a card's number, and only during a request. */
export const vault: SandboxVault = {
  provider: "servicecard",
  testCards: TEST_CARDS,

  async attach(tx, { accountId, handle }, card) {
    if (!TEST_CARDS.some(({ name }) => name === card)) throw new Error(`there is no test card "${card}"`);
    await tx.run(STORE_WALLET_CARD, { accountId, handle, card, now: now() });
  },

  async reveal(cardRef, userToken) {
    if (!isUserToken(cardRef, userToken)) return null;
    const [row] = await sql.run(FIND_REVEALED_SERVICECARD, { cardRef });
    if (row === undefined) return null;
    return {
      number: numberOf(cardRef),
      exp_month: row.created_at.getUTCMonth() + 1,
      exp_year: row.created_at.getUTCFullYear() + 1,
      cvc: codeOf(cardRef),
      brand: "visa",
    };
  },

  async charge(tx, charge) {
    const row = await lockCard(tx, charge.number);
    if (row === undefined || codeOf(row.card_ref) !== charge.cvc) {
      return { accountId: null, reason: "incorrect_number_or_cvc" };
    }
    return settle(tx, row, charge);
  },
};

const LOCK_SERVICECARD = plannedStatement(
  "lock-servicecard",
  `select account_id, card_ref, amount_minor, currency, card, status::text as "status: 'authorized' | 'declined' | 'closed' | 'open' | 'captured'"
  from servicecard_cards where number_tag = :tagOf for update`,
);

async function lockCard(tx: Sql, number: string): Promise<CardRow | undefined> {
  const [row] = await tx.run(LOCK_SERVICECARD, { tagOf: tagOf(number) });
  return row;
}

const SETTLE_SERVICECARD = plannedStatement(
  "settle-servicecard",
  `update servicecard_cards set status = :last::text::servicecard_status, updated_at = :now
  where account_id = :accountId and card_ref = :cardRef`,
);

async function settle(tx: Sql, row: CardRow, charge: TestCharge): Promise<ChargeResult> {
  const { account_id: accountId, card_ref: cardRef } = row;
  if (row.status !== "open" && row.status !== "authorized") {
    return { accountId, cardRef, events: [], reason: "card_closed" };
  }
  const reason = declineReason(row, charge);
  const events = eventsOf(row, charge, reason);
  const last = events.at(-1);
  if (last !== undefined) {
    await tx.run(SETTLE_SERVICECARD, { accountId, cardRef, last, now: now() });
  }
  return { accountId, cardRef, events, reason };
}

function declineReason(row: CardRow, charge: TestCharge): string | null {
  if (row.card === "declines") return "do_not_honor";
  if (row.currency !== charge.currency) return "currency_not_allowed";
  return charge.amountMinor > row.amount_minor ? "over_limit" : null;
}

function eventsOf(row: CardRow, charge: TestCharge, reason: string | null): readonly CardEvent[] {
  if (reason !== null) return ["declined"];
  const authorized = row.status === "open" ? (["authorized"] as const) : [];
  return charge.capture ? [...authorized, "captured"] : authorized;
}
