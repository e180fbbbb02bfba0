import { randomInt } from "node:crypto";
import {
  type Handler,
  metadataOf,
  newId,
  requireFound,
  type StripeCall,
  StripeRefusal,
  seconds,
} from "@/lib/testing/stripe/fake-stripe-call";
import type { FakeCard, FakeCardholder, FakeStripeState } from "@/lib/testing/stripe/fake-stripe-state";

const CARD_CURRENCIES = ["usd", "eur", "gbp"];

/** Stripe Issuing: accounts that can issue cards, cardholders, cards, ephemeral keys and authorizations. */
export const ISSUING_ROUTES: Readonly<Record<string, Handler>> = {
  "POST /v1/accounts": newAccount,
  "POST /v1/account_links": ({ accounts, issuing, baseUrl }, { form }) => {
    const { id } = requireFound(accounts.get(form.get("account") ?? ""));
    const link = { return_url: form.get("return_url") ?? "", refresh_url: form.get("refresh_url") ?? "" };
    if (!URL.canParse(link.return_url) || !URL.canParse(link.refresh_url))
      throw new StripeRefusal("url_invalid");
    issuing.links.set(id, link);
    return {
      object: "account_link",
      created: seconds(),
      expires_at: seconds() + 300,
      url: `${baseUrl}/setup/${id}`,
    };
  },
  "POST /v1/issuing/cardholders": newCardholder,
  "POST /v1/issuing/cards": newCard,
  "GET /v1/issuing/cards": ({ issuing }, { account, query }) => ({
    object: "list",
    has_more: false,
    data: [...issuing.cards]
      .filter(
        ([key, card]) => key.startsWith(`${account}/`) && card.cardholder.id === query.get("cardholder"),
      )
      .map(([, card]) => card)
      .filter(({ created }) => created >= Number(query.get("created[gte]") ?? 0))
      .toReversed(),
  }),
  "GET /v1/issuing/cards/:id": showCard,
  "POST /v1/issuing/cards/:id": ({ issuing }, { account, id, form }) => {
    const card = requireFound(issuing.cards.get(`${account}/${id}`));
    if (card.status === "canceled") throw new StripeRefusal("card_canceled");
    if (form.get("status") === "canceled") card.status = "canceled";
    return card;
  },
  "GET /v1/issuing/authorizations": ({ issuing }, { account, query }) => ({
    object: "list",
    has_more: false,
    data: [...issuing.authorizations]
      .filter(([key, { card }]) => key.startsWith(`${account}/`) && card.id === query.get("card"))
      .map(([, authorization]) => authorization),
  }),
  "POST /v1/ephemeral_keys": ({ issuing }, { account, form }) => {
    const card = requireFound(issuing.cards.get(`${account}/${form.get("issuing_card")}`));
    const key = { id: newId("ephkey"), object: "ephemeral_key", secret: newId("ek_test"), livemode: false };
    issuing.keys.set(key.secret, { id: key.id, card: card.id });
    return { ...key, created: seconds(), expires: seconds() + 900 };
  },
  "DELETE /v1/ephemeral_keys/:id": ({ issuing }, { id }) => {
    const [secret] = requireFound([...issuing.keys].find(([, key]) => key.id === id));
    issuing.keys.delete(secret);
    return { id, object: "ephemeral_key" };
  },
};

function newAccount({ accounts }: FakeStripeState, { form }: StripeCall) {
  const asks = ["capabilities[card_issuing][requested]", "capabilities[transfers][requested]"];
  const isCustom = form.get("controller[stripe_dashboard][type]") === "none";
  if (!isCustom || asks.some((ask) => form.get(ask) !== "true"))
    throw new StripeRefusal("capability_not_allowed");
  const account = {
    id: newId("acct"),
    object: "account" as const,
    charges_enabled: false,
    country: "US",
    capabilities: { card_issuing: "inactive" as const },
    requirements: { currently_due: ["company.tax_id", "tos_acceptance.date"], disabled_reason: null },
  };
  accounts.set(account.id, account);
  return account;
}

/**
 * Completes Stripe's onboarding page as an admin does, by providing the missing data. `review` leaves the data in
 * review.
 */
export async function completeSetup(
  books: FakeStripeState,
  id: string,
  outcome: "active" | "review",
): Promise<void> {
  const account = requireFound(books.accounts.get(id));
  account.business_profile = { name: "Ada & Sons 24/7 Catering" };
  const address = { line1: "1 Harbor Street", city: "Portland", country: "US", postal_code: "97201" };
  account.company = { name: "Ada", address };
  account.requirements = { currently_due: [], disabled_reason: null };
  account.capabilities = { card_issuing: outcome === "active" ? "active" : "pending" };
  await books.tell(id, "capability.updated", { id: "card_issuing", object: "capability", account: id });
}

function newCardholder(books: FakeStripeState, { account, form }: StripeCall): FakeCardholder {
  requireIssuing(books, account);
  const name = form.get("name") ?? "";
  if (!/^[A-Za-z ]{1,24}$/.test(name)) throw new StripeRefusal("cardholder_name_invalid");
  for (const part of ["line1", "city", "country", "postal_code"]) {
    if (!form.get(`billing[address][${part}]`)) throw new StripeRefusal("parameter_missing");
  }
  const holder: FakeCardholder = {
    id: newId("ich"),
    object: "issuing.cardholder",
    name,
    status: "active",
    requirements: { disabled_reason: null, past_due: [] },
  };
  books.issuing.cardholders.set(`${account}/${holder.id}`, holder);
  return holder;
}

function newCard(books: FakeStripeState, { account, form }: StripeCall): FakeCard {
  requireIssuing(books, account);
  const holder = requireFound(books.issuing.cardholders.get(`${account}/${form.get("cardholder")}`));
  const currency = form.get("currency") ?? "";
  if (!CARD_CURRENCIES.includes(currency) || form.get("type") !== "virtual") {
    throw new StripeRefusal("parameter_invalid");
  }
  const number = newNumber();
  const card: FakeCard = {
    id: newId("ic"),
    object: "issuing.card",
    currency,
    status: form.get("status") === "active" ? "active" : "inactive",
    brand: "Visa",
    last4: number.slice(-4),
    exp_month: 11,
    exp_year: 2030,
    metadata: metadataOf(form),
    created: seconds(),
    cancellation_reason: null,
    cardholder: holder,
    spending_controls: {
      spending_limits: [
        {
          amount: Number(form.get("spending_controls[spending_limits][0][amount]")),
          interval: "per_authorization",
        },
      ],
    },
    lifecycle_controls: {
      cancel_after: { payment_count: Number(form.get("lifecycle_controls[cancel_after][payment_count]")) },
    },
  };
  books.issuing.cards.set(`${account}/${card.id}`, card);
  books.issuing.secrets.set(card.id, { number, cvc: String(randomInt(1000)).padStart(3, "0") });
  return card;
}

function requireIssuing({ accounts }: FakeStripeState, account: string): void {
  if (accounts.get(account)?.capabilities?.card_issuing !== "active")
    throw new StripeRefusal("capability_inactive");
}

// An ephemeral key gives access to its card only. The card's number is included only on request.
function showCard({ issuing }: FakeStripeState, { account, id, bearer, query }: Parameters<Handler>[1]) {
  const key = issuing.keys.get(bearer);
  if (bearer.startsWith("ek_") && key?.card !== id) throw new StripeRefusal("api_key_expired", 401);
  const stored = key === undefined ? issuing.cards.get(`${account}/${id}`) : cardOf(issuing.cards, id);
  const card = requireFound(stored);
  const asked = [...query].filter(([name]) => name.startsWith("expand")).map(([, value]) => value);
  const secrets = Object.entries(requireFound(issuing.secrets.get(id))).filter(([name]) =>
    asked.includes(name),
  );
  return { ...card, ...Object.fromEntries(secrets) };
}

function cardOf(cards: Map<string, FakeCard>, id: string): FakeCard | undefined {
  return [...cards.values()].find((card) => card.id === id);
}

// Has a valid check digit, because log redaction uses it to recognize card numbers.
function newNumber(): string {
  const body = `424242${String(randomInt(10 ** 9)).padStart(9, "0")}`;
  const sum = [...body].reverse().reduce((total, digit, index) => {
    const value = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}
