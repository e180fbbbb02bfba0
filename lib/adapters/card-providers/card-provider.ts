import "server-only";
import type { AccountRef } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import type { MinorUnits } from "@/lib/platform/text/money";

type AccountType = AccountRef["type"];

/** A paying customer of an account. Providers identify customers by account and handle. */
export interface Customer {
  accountId: string;
  handle: string;
}

/** An order for a card that accepts one charge of at most this amount. */
export interface CardOrder extends Customer {
  paymentId: string;
  amountMinor: MinorUnits;
  /** ISO 4217, in lowercase. */
  currency: string;
  merchant: { name: string | null; url: string | null };
}

/**
 * The credentials with which a caller fetches the card from the provider itself. Contains no number and no security
 * code.
 */
interface Handoff {
  cardRef: string;
  fetchUrl: string;
  provider: string;
  /** A bearer token for this card only, valid for minutes. */
  userToken: string;
}

/** An event of a card at a merchant. */
export type CardEvent = "authorized" | "captured" | "declined";

/**
 * The result of closing a card. `charged`: a merchant charged it first, and the charge can't be reversed. `charging`:
 * a merchant requested a charge just before, and the response is pending.
 */
export type CloseResult = "closed" | "charging" | "charged";

/** The status of an account at its provider. */
interface Onboarded {
  isReady: boolean;
  /** The missing requirements, as the provider words them. */
  missing: readonly string[];
}

/** A merchant's attempt to charge a card. The provider asks about it before it answers the merchant. */
export interface ChargeRequest {
  /** The account that the card was issued for. */
  accountId: string;
  cardRef: string;
  /** The provider's id of the charge. */
  chargeRef: string;
  /** In the card's currency. 0 when the merchant only verifies the card. */
  amountMinor: MinorUnits;
  currency: string;
  merchant: { name: string | null; url: string | null };
}

/** The events of an account's card, in one report of its provider. */
interface CardReport {
  accountId: string;
  cardRef: string;
  chargeRef: string | null;
  events: readonly CardEvent[];
  at: Date;
}

export type CardNotice =
  | { about: "account"; accountId: string }
  | ({ about: "card" } & CardReport)
  /** A merchant returned money to the card, in full or in part. */
  | {
      about: "refund";
      accountId: string;
      cardRef: string;
      amountMinor: MinorUnits;
      currency: string;
      at: Date;
    }
  | { about: "request"; request: ChargeRequest };

/** A webhook from a provider with a valid signature. */
export interface CardWebhook {
  eventId: string;
  notice: CardNotice | null;
}

/**
 * The provider that issues the cards of agent payments. Its methods reject with an AdapterError. The core requests a
 * card only for a connected customer, and may repeat a request. Every provider passes `conformance.ts`.
 */
export interface CardProvider {
  /** The provider's name on the wire. */
  readonly name: string;
  /** The display name. */
  readonly label: string;
  /** Whether accounts can use it without connecting it first. */
  readonly isReadyFromStart: boolean;
  /** Why accounts of this type can't use it, or null when they can. */
  refusal(accountType: AccountType): string | null;
  /** Starts the onboarding and returns the URL of its page, which ends with a visit to the return URL. */
  onboard(session: { accountId: string; sessionId: string }): Promise<{ hostedUrl: string }>;
  /** For providers with an onboarding page of their own: reads the current status from the provider. */
  look?(accountId: string): Promise<Onboarded>;
  /** The missing requirements that `look` last found, without a request to the provider. */
  missing(accountId: string): Promise<readonly string[]>;
  /** Whether the customer has a card on file to pay from. */
  hasCard(customer: Customer): Promise<boolean>;
  /** Issues a card. Repeated calls for one payment id return the same card. */
  mint(order: CardOrder): Promise<{ cardRef: string }>;
  /** Returns the card issued for a payment id, open or closed, or null when none was issued. */
  findCard(accountId: string, paymentId: string): Promise<{ cardRef: string } | null>;
  handoff(accountId: string, cardRef: string): Promise<Handoff>;
  /** Closes a card permanently. Closing a closed or used card again has no effect. */
  close(accountId: string, cardRef: string): Promise<CloseResult>;
  /** The name of the missing setting that `receive` requires. null when none is missing. */
  missingForWebhooks?(): string | null;
  /** Reads a webhook. Throws SignatureRefused. */
  receive?(headers: Headers, text: string): Promise<CardWebhook>;
  /** Builds the response to a ChargeRequest. */
  answer?(isApproved: boolean): { body: object; headers: Record<string, string> };
}

/** A card that only the vault shows. It must never be stored or logged. */
interface RevealedCard {
  number: string;
  exp_month: number;
  exp_year: number;
  cvc: string;
  brand: string;
}

/** A charge that a test merchant attempts. */
export interface TestCharge {
  number: string;
  cvc: string;
  amountMinor: MinorUnits;
  currency: string;
  /** false: authorizes only. A second charge with true captures. */
  capture: boolean;
}

/** The result of a test charge: the events of the card, or none when the number or the code was wrong. */
export type ChargeResult =
  | { accountId: string; cardRef: string; events: readonly CardEvent[]; reason: string | null }
  | { accountId: null; reason: string };

/**
 * The parts of the sandbox provider that other providers keep internal: the customer's wallet and the test merchant.
 */
export interface SandboxVault {
  /** The name of the vault's provider. */
  readonly provider: string;
  /** The test cards that a customer can add. */
  readonly testCards: readonly { name: string; label: string }[];
  attach(tx: Sql, customer: Customer, card: string): Promise<void>;
  /** Returns null when the token belongs to another card or has expired, or when the card has ended. */
  reveal(cardRef: string, userToken: string): Promise<RevealedCard | null>;
  charge(tx: Sql, charge: TestCharge): Promise<ChargeResult>;
}
