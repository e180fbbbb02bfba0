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
import type { MinorUnits } from "@/lib/platform/text/money";
import { now } from "@/lib/platform/time/clock";

const TEST_CARDS = [
  { name: "pays", label: "Test card: payment succeeds" },
  { name: "declines", label: "Test card: card is declined" },
] as const;

interface CardRow {
  account_id: string;
  card_ref: string;
  amount_minor: MinorUnits;
  currency: string;
  card: string;
  status: "open" | "authorized" | "captured" | "declined" | "closed";
}

/** The only code that handles a card's number, and only during a request. */
export const vault: SandboxVault = {
  provider: "servicecard",
  testCards: TEST_CARDS,

  async attach(tx, { accountId, handle }, card) {
    if (!TEST_CARDS.some(({ name }) => name === card)) throw new Error(`there is no test card "${card}"`);
    await tx.query({
      text: `insert into servicecard_wallets (account_id, handle, card, created_at) values ($1, $2, $3, $4)
             on conflict (account_id, handle) do update set card = excluded.card`,
      values: [accountId, handle, card, now()],
    });
  },

  async reveal(cardRef, userToken) {
    if (!isUserToken(cardRef, userToken)) return null;
    const [row] = await sql.query<{ created_at: Date }>({
      text: "select created_at from servicecard_cards where card_ref = $1 and status = 'open'",
      values: [cardRef],
    });
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

async function lockCard(tx: Sql, number: string): Promise<CardRow | undefined> {
  const [row] = await tx.query<CardRow>({
    text: `select account_id, card_ref, amount_minor, currency, card, status::text as status
           from servicecard_cards where number_tag = $1 for update`,
    values: [tagOf(number)],
  });
  return row;
}

async function settle(tx: Sql, row: CardRow, charge: TestCharge): Promise<ChargeResult> {
  const { account_id: accountId, card_ref: cardRef } = row;
  if (row.status !== "open" && row.status !== "authorized") {
    return { accountId, cardRef, events: [], reason: "card_closed" };
  }
  const reason = declineReason(row, charge);
  const events = eventsOf(row, charge, reason);
  const last = events.at(-1);
  if (last !== undefined) {
    await tx.query({
      text: `update servicecard_cards set status = $3::text::servicecard_status, updated_at = $4
             where account_id = $1 and card_ref = $2`,
      values: [accountId, cardRef, last, now()],
    });
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
