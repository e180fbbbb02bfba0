import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { CardOrder, CardProvider, Customer } from "@/lib/adapters/card-providers/card-provider";
import { numberOf, tagOf } from "@/lib/adapters/card-providers/servicecard/card-number";
import { makeUserToken } from "@/lib/adapters/card-providers/servicecard/user-token";
import { sql } from "@/lib/platform/database/db";
import { baseUrl } from "@/lib/platform/env";
import { secretBytes } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

const NAME = "servicecard";

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
    const [row] = await sql.query<{ card_ref: string }>({
      text: "select card_ref from servicecard_cards where account_id = $1 and payment_id = $2",
      values: [accountId, paymentId],
    });
    return row === undefined ? null : { cardRef: row.card_ref };
  },

  async handoff(accountId, cardRef) {
    const [row] = await sql.query<{ status: string }>({
      text: "select status::text as status from servicecard_cards where account_id = $1 and card_ref = $2",
      values: [accountId, cardRef],
    });
    if (row?.status !== "open") throw new AdapterError("rejected", "the card is closed");
    return {
      cardRef,
      fetchUrl: `${baseUrl()}/vault/cards/${cardRef}`,
      provider: NAME,
      userToken: makeUserToken(cardRef),
    };
  },

  async close(accountId, cardRef) {
    await sql.query({
      text: `update servicecard_cards set status = 'closed', updated_at = $3
             where account_id = $1 and card_ref = $2 and status in ('open', 'authorized')`,
      values: [accountId, cardRef, now()],
    });
    return "closed";
  },
};

async function walletCard({ accountId, handle }: Customer): Promise<string | null> {
  const [row] = await sql.query<{ card: string }>({
    text: "select card from servicecard_wallets where account_id = $1 and handle = $2",
    values: [accountId, handle],
  });
  return row?.card ?? null;
}

// A reference whose card number is already taken is not inserted, and another reference is generated.
async function insertCard(order: CardOrder, card: string): Promise<string> {
  for (;;) {
    const cardRef = `card_${secretBytes(12).toString("hex")}`;
    const [row] = await sql.query<{ card_ref: string }>({
      text: `with made as (
               insert into servicecard_cards
                 (account_id, card_ref, payment_id, amount_minor, currency, card, number_tag, created_at, updated_at)
               values ($1, $2, $3, $4, $5, $6, $7, $8, $8) on conflict do nothing returning card_ref)
             select card_ref from made
             union all select card_ref from servicecard_cards where account_id = $1 and payment_id = $3`,
      values: [
        order.accountId,
        cardRef,
        order.paymentId,
        order.amountMinor,
        order.currency,
        card,
        tagOf(numberOf(cardRef)),
        now(),
      ],
    });
    if (row !== undefined) return row.card_ref;
  }
}
