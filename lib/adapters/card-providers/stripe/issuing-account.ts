import "server-only";
import type Stripe from "stripe";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { callStripe, findAtStripe, stripeApi } from "@/lib/adapters/processors/stripe/stripe-api";
import { storeLatest } from "@/lib/adapters/store-latest";
import { sha256 } from "@/lib/platform/crypto/crypto";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { baseUrl } from "@/lib/platform/env";
import { now } from "@/lib/platform/time/clock";

/** The cardholder of an account's cards, and the Stripe account that funds them. */
export interface Issuer {
  merchantId: string;
  cardholderId: string;
}

type IssuerRow = RowOf<"find-issuer">;

const NAME_LENGTH = 24;

/** Creates the Stripe account that funds the cards, once, and a page of Stripe's on which an admin completes it. */
export async function onboardAccount({ accountId, sessionId }: { accountId: string; sessionId: string }) {
  const known = (await findIssuer(accountId))?.merchantId ?? null;
  const link = known === null ? null : await findAtStripe(linkFor(known, sessionId));
  if (link !== null) return { hostedUrl: link.url };
  // No account yet, or Stripe no longer has it under this key.
  const made = await makeAccount(accountId, known);
  return { hostedUrl: (await callStripe(linkFor(made, sessionId))).url };
}

function linkFor(merchantId: string, sessionId: string) {
  const page = `${baseUrl()}/wallet/provider`;
  return stripeApi().accountLinks.create({
    account: merchantId,
    type: "account_onboarding",
    collection_options: { fields: "eventually_due" },
    return_url: `${page}/return?session=${sessionId}`,
    refresh_url: `${page}/refresh?session=${sessionId}`,
  });
}

/** Returns whether the account may issue cards. Creates its cardholder as soon as it may. */
export async function checkIssuingAccount(accountId: string) {
  const found = await storeLatest(
    () => readRequirements(accountId),
    (read) => storeMissing(accountId, read),
  );
  return found === null
    ? { isReady: false, missing: [] }
    : { isReady: found.missing.length === 0, missing: found.missing };
}

type Requirements = Pick<IssuerRow, "merchantId" | "missing">;

async function readRequirements(accountId: string): Promise<Requirements | null> {
  const row = await findIssuer(accountId);
  if (row === null) return null;
  const account = await callStripe(stripeApi().accounts.retrieve(row.merchantId));
  return { merchantId: row.merchantId, missing: await missingAt(account, row, accountId) };
}

const STORE_MISSING_REQUIREMENTS = plannedStatement(
  "store-missing-requirements",
  `update stripe_issuing_accounts set missing = :missing, updated_at = :now
  where account_id = :accountId and merchant_id = :merchantId and missing is distinct from :missing returning 1`,
);

/** Returns whether the stored requirements changed. */
async function storeMissing(accountId: string, read: Requirements | null): Promise<boolean> {
  if (read === null) return false;
  const changed = await sql.run(STORE_MISSING_REQUIREMENTS, {
    accountId,
    merchantId: read.merchantId,
    missing: read.missing,
    now: now(),
  });
  return changed.length > 0;
}

/** Returns the missing requirements that Stripe last reported. */
export async function missingOf(accountId: string): Promise<readonly string[]> {
  return (await findIssuer(accountId))?.missing ?? [];
}

/** Returns the issuer of an account's cards. Throws `rejected` before Stripe approves the account. */
export async function requireIssuer(accountId: string): Promise<Issuer> {
  const row = await findIssuer(accountId);
  if (row === null || row.cardholderId === null) {
    throw new AdapterError(
      "rejected",
      "the account is not configured to issue cards: connect the account again",
    );
  }
  return { merchantId: row.merchantId, cardholderId: row.cardholderId };
}

const FIND_ACCOUNT_OF_MERCHANT = plannedStatement(
  "find-account-of-merchant",
  `select account_id as "accountId" from stripe_issuing_accounts where merchant_id = :merchantId`,
);

/** Returns the account that has this Stripe account, or null for an unknown id. */
export async function findAccountOf(merchantId: string): Promise<string | null> {
  const [row] = await sql.run(FIND_ACCOUNT_OF_MERCHANT, { merchantId });
  return row?.accountId ?? null;
}

const FIND_ISSUER = plannedStatement(
  "find-issuer",
  `select merchant_id as "merchantId", cardholder_id as "cardholderId", missing
  from stripe_issuing_accounts where account_id = :accountId`,
);

/** Returns the Stripe account of an account, or null before it was connected. */
export async function findIssuer(accountId: string): Promise<IssuerRow | null> {
  const [row] = await sql.run(FIND_ISSUER, { accountId });
  return row ?? null;
}

const INSERT_ISSUING_ACCOUNT = plannedStatement(
  "insert-issuing-account",
  `insert into stripe_issuing_accounts (account_id, merchant_id, missing, created_at, updated_at)
  values (:accountId, :merchantId, '{}', :now, :now) on conflict do nothing returning 1`,
);

const REPLACE_ISSUING_ACCOUNT = plannedStatement(
  "replace-issuing-account",
  `update stripe_issuing_accounts set merchant_id = :merchantId, cardholder_id = null, missing = '{}', updated_at = :now
  where account_id = :accountId and merchant_id <> :merchantId`,
);

// `on conflict (account_id) do update` fails when two requests insert at the same moment, because the Stripe account is
// unique too.
async function storeAccount(accountId: string, merchantId: string): Promise<void> {
  const stored = { accountId, merchantId, now: now() };
  const inserted = await sql.run(INSERT_ISSUING_ACCOUNT, stored);
  if (inserted.length === 0) await sql.run(REPLACE_ISSUING_ACCOUNT, stored);
}

// Stripe lets an account issue cards only if the platform collects its requirements (docs.stripe.com/issuing/connect).
async function makeAccount(accountId: string, replaced: string | null): Promise<string> {
  const account = await callStripe(
    stripeApi().accounts.create(
      {
        controller: {
          fees: { payer: "application" },
          losses: { payments: "application" },
          requirement_collection: "application",
          stripe_dashboard: { type: "none" },
        },
        capabilities: { card_issuing: { requested: true }, transfers: { requested: true } },
        metadata: { trunkline_account: accountId },
      },
      { idempotencyKey: `issuing-account:${accountId}:${replaced ?? ""}` },
    ),
  );
  await storeAccount(accountId, account.id);
  return account.id;
}

const STORE_CARDHOLDER = plannedStatement(
  "store-cardholder",
  `update stripe_issuing_accounts set cardholder_id = :id, updated_at = :now
  where account_id = :accountId and merchant_id = :merchantId`,
);

async function missingAt(account: Stripe.Account, row: IssuerRow, accountId: string): Promise<string[]> {
  const { capabilities, requirements } = account;
  if (capabilities?.card_issuing !== "active") {
    const due = requirements?.currently_due ?? [];
    return due.length > 0 ? due : [requirements?.disabled_reason ?? "card_issuing: under review"];
  }
  const address = account.company?.address ?? account.individual?.address ?? null;
  if (!isCompleteAddress(address)) return ["company.address"];
  if (row.cardholderId !== null) return [];
  const contact = contactOf(account);
  // European issuers confirm charges with 3-D Secure, by a code to the cardholder's phone or email address.
  if (IN_EUROPE.has(address.country) && Object.keys(contact).length === 0) return ["company.phone"];
  const { id, requirements: asked } = await makeCardholder(account, address, contact);
  if (asked.disabled_reason != null) return asked.past_due ?? [asked.disabled_reason];
  await sql.run(STORE_CARDHOLDER, { accountId, merchantId: row.merchantId, id, now: now() });
  return [];
}

type Address = Stripe.Issuing.CardholderCreateParams.Billing.Address;

function isCompleteAddress(address: Stripe.Address | null | undefined): address is Stripe.Address & Address {
  return [address?.line1, address?.city, address?.country, address?.postal_code].every(
    (part) => typeof part === "string" && part !== "",
  );
}

/** The countries in which Stripe issues cards under PSD2 or the rules of the United Kingdom. */
const IN_EUROPE = new Set(
  "AT BE BG CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK".split(" "),
);
const E164 = /^\+[1-9]\d{6,14}$/;

type Contact = Pick<Stripe.Issuing.CardholderCreateParams, "email" | "phone_number">;

function contactOf({ email, company, individual, business_profile }: Stripe.Account): Contact {
  const phones = [company?.phone, individual?.phone, business_profile?.support_phone];
  const phone = phones
    .map((each) => each?.replaceAll(/[\s().-]/g, ""))
    .find((each) => each && E164.test(each));
  const address = email ?? business_profile?.support_email ?? null;
  return { ...(phone ? { phone_number: phone } : {}), ...(address ? { email: address } : {}) };
}

async function makeCardholder(
  account: Stripe.Account,
  { line1, city, country, postal_code, state }: Address,
  contact: Contact,
) {
  const params: Stripe.Issuing.CardholderCreateParams = {
    type: "company",
    name: cardholderName(account.business_profile?.name ?? account.company?.name ?? ""),
    billing: { address: { line1, city, country, postal_code, ...(state == null ? {} : { state }) } },
    ...contact,
  };
  // Stripe replays failures of an idempotency key too, so changed details need another key.
  const idempotencyKey = `cardholder:${sha256(JSON.stringify([account.id, params])).toString("hex")}`;
  return callStripe(
    stripeApi().issuing.cardholders.create(params, { stripeAccount: account.id, idempotencyKey }),
  );
}

/** Converts a name to the form Stripe accepts on a card: letters and spaces, at most 24 characters. */
export function cardholderName(name: string): string {
  const letters = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^A-Za-z]+/g, " ")
    .trim()
    .slice(0, NAME_LENGTH)
    .trim();
  return letters === "" ? "Agent payments" : letters;
}
