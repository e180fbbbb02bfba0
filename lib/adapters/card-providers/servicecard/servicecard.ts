import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { CardOrder, CardProvider, Customer } from "@/lib/adapters/card-providers/card-provider";
import { numberOf, tagOf } from "@/lib/adapters/card-providers/servicecard/card-number";
import { makeUserToken } from "@/lib/adapters/card-providers/servicecard/user-token";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { baseUrl } from "@/lib/platform/env";
import { secretBytes } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

const NAME = "servicecard";

const SERVICECARD_FIND_CARD = plannedStatement(
  "servicecard-find-card",
  "select card_ref from servicecard_cards where account_id = :accountId and payment_id = :paymentId",
);

const SERVICECARD_HANDOFF = plannedStatement(
  "servicecard-handoff",
  "select status::text as status from servicecard_cards where account_id = :accountId and card_ref = :cardRef",
);

const SERVICECARD_CLOSE = plannedStatement(
  "servicecard-close",
  `update servicecard_cards set status = 'closed', updated_at = :now
  where account_id = :accountId and card_ref = :cardRef and status in ('open', 'authorized')`,
);

/** The sandbox's provider. Wallets and cards are rows, and card numbers exist only while the vault shows them. */
export const servicecard: CardProvider = {
  name: NAME,
  label: "Test cards",
  isReadyFromStart: true,

  refusal: (accountType) => (accountType === "sandbox" ? null : `${NAME} supports sandbox accounts only`),
  missing: async () => [],

  async onboard({ sessionId }) {
    return { hostedUrl: `${baseUrl()}/wallet/provider?session=${sessionId}` };
  },

  async hasCard(customer) {
    return (await walletCard(customer)) !== null;
  },

  async mint(order) {
    const card = await walletCard(order);
    if (card === null) throw new AdapterError("rejected", "the customer's wallet contains no card");
    return { cardRef: await insertCard(order, card) };
  },

  async findCard(accountId, paymentId) {
    const [row] = await sql.run(SERVICECARD_FIND_CARD, { accountId, paymentId });
    return row === undefined ? null : { cardRef: row.card_ref };
  },

  async handoff(accountId, cardRef) {
    const [row] = await sql.run(SERVICECARD_HANDOFF, { accountId, cardRef });
    if (row?.status !== "open") throw new AdapterError("rejected", "the card is closed");
    return {
      cardRef,
      fetchUrl: `${baseUrl()}/vault/cards/${cardRef}`,
      provider: NAME,
      userToken: makeUserToken(cardRef),
    };
  },

  async close(accountId, cardRef) {
    await sql.run(SERVICECARD_CLOSE, { accountId, cardRef, now: now() });
    return "closed";
  },
};

const WALLET_CARD = plannedStatement(
  "wallet-card",
  "select card from servicecard_wallets where account_id = :accountId and handle = :handle",
);

async function walletCard({ accountId, handle }: Customer): Promise<string | null> {
  const [row] = await sql.run(WALLET_CARD, { accountId, handle });
  return row?.card ?? null;
}

const INSERT_SERVICECARD = plannedStatement(
  "insert-servicecard",
  `with made as (
    insert into servicecard_cards
      (account_id, card_ref, payment_id, amount_minor, currency, card, number_tag, created_at, updated_at)
    values (:accountId, :cardRef, :paymentId, :amountMinor, :currency, :card, :tagOf, :now, :now) on conflict do nothing returning card_ref)
  select card_ref from made
  union all select card_ref from servicecard_cards where account_id = :accountId and payment_id = :paymentId`,
);

// A reference whose card number is already taken is not inserted, and another reference is generated.
async function insertCard(order: CardOrder, card: string): Promise<string> {
  for (;;) {
    const cardRef = `card_${secretBytes(12).toString("hex")}`;
    const [row] = await sql.run(INSERT_SERVICECARD, {
      accountId: order.accountId,
      cardRef,
      paymentId: order.paymentId,
      amountMinor: order.amountMinor,
      currency: order.currency,
      card,
      tagOf: tagOf(numberOf(cardRef)),
      now: now(),
    });
    if (row !== undefined) return row.card_ref;
  }
}
