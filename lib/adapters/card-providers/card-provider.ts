import "server-only";
import type { AccountRef } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/db";
import type { MinorUnits } from "@/lib/platform/money";

type AccountType = AccountRef["type"];

/** The paying customer of an account, as the provider identifies one. */
export interface Customer {
  accountId: string;
  handle: string;
}

/** A card for one payment: it takes one charge of up to this amount. */
export interface CardOrder extends Customer {
  paymentId: string;
  amountMinor: MinorUnits;
  /** ISO 4217, in small letters. */
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
  /** A bearer for this card alone, good for minutes. */
  userToken: string;
}

/** An event of a card at a merchant. */
export type CardEvent = "authorized" | "captured" | "declined";

/**
 * The result of closing a card. `charged`: a merchant charged it first, and the charge can't be reversed. `charging`:
 * a merchant requested a charge just before, and the response is pending.
 */
export type Closed = "closed" | "charging" | "charged";

/** The status of an account at its provider. */
interface Onboarded {
  isReady: boolean;
  /** The missing requirements, as the provider words them. */
  missing: readonly string[];
}

/** A merchant's wish to charge a card, which its provider asks about before it answers the merchant. */
export interface ChargeRequest {
  cardRef: string;
  /** The provider's name of the charge. */
  chargeRef: string;
  /** In the card's currency; 0 when the merchant only looks whether the card is good. */
  amountMinor: MinorUnits;
  currency: string;
  merchant: { name: string | null; url: string | null };
}

/** A notification that the provider sends. */
export type CardNotice =
  | { about: "account"; accountId: string }
  | { about: "card"; cardRef: string; chargeRef: string | null; events: readonly CardEvent[]; at: Date }
  | { about: "request"; request: ChargeRequest };

/** A webhook of a provider whose signature was right. */
export interface CardWebhook {
  eventId: string;
  notice: CardNotice | null;
}

/**
 * The provider that issues the cards of agent payments. Its methods reject with an AdapterError. The core requests a
 * card only for a connected customer, and may repeat a request. Every provider passes `conformance.ts`.
 */
export interface CardProvider {
  /** Its name on the wire. */
  readonly name: string;
  /** Its name for people. */
  readonly label: string;
  /** An account it serves has it without connecting it. */
  readonly isReadyFromStart: boolean;
  /** Why accounts of this type cannot use it; null when they can. */
  refusal(accountType: AccountType): string | null;
  /** Starts the onboarding and returns the URL of its page, which ends with a visit to the return URL. */
  onboard(session: { accountId: string; sessionId: string }): Promise<{ hostedUrl: string }>;
  /** For providers with an onboarding page of their own: reads the current status from the provider. */
  look?(accountId: string): Promise<Onboarded>;
  /** The missing requirements that `look` last found, without a request to the provider. */
  missing(accountId: string): Promise<readonly string[]>;
  /** Whether the customer has a card on file to pay from. */
  hasCard(customer: Customer): Promise<boolean>;
  /** Makes a card; for one payment id always the same. */
  mint(order: CardOrder): Promise<{ cardRef: string }>;
  /** The card made for a payment id, whatever became of it; null when none was. */
  findCard(accountId: string, paymentId: string): Promise<{ cardRef: string } | null>;
  handoff(accountId: string, cardRef: string): Promise<Handoff>;
  /** Closes a card permanently. Closing a closed or used card again has no effect. */
  close(accountId: string, cardRef: string): Promise<Closed>;
  /** The name of the missing setting that `receive` requires. null when none is missing. */
  missingForWebhooks?(): string | null;
  /** Reads a webhook. Throws SignatureRefused. */
  receive?(headers: Headers, text: string): Promise<CardWebhook>;
  /** Builds the response to a ChargeRequest. */
  answer?(isApproved: boolean): { body: object; headers: Record<string, string> };
}

/** A card as only the vault shows it. Never stored, never logged. */
interface RevealedCard {
  number: string;
  exp_month: number;
  exp_year: number;
  cvc: string;
  brand: string;
}

/** A test merchant's attempt at a card. */
export interface TestCharge {
  number: string;
  cvc: string;
  amountMinor: MinorUnits;
  currency: string;
  /** false: only authorizes. A second charge with true captures. */
  capture: boolean;
}

/** The result of a test charge: the events of the card, or none when the number or the code was wrong. */
export type ChargeResult =
  | { accountId: string; cardRef: string; events: readonly CardEvent[]; reason: string | null }
  | { accountId: null; reason: string };

/** The side of the sandbox provider that real ones keep to themselves: the customer's wallet and the test merchant. */
export interface SandboxVault {
  /** The name of its provider. */
  readonly provider: string;
  /** The test cards a customer can have. */
  readonly testCards: readonly { name: string; label: string }[];
  attach(tx: Sql, customer: Customer, card: string): Promise<void>;
  /** null when the token is not for this card, has expired, or the card has ended. */
  reveal(cardRef: string, userToken: string): Promise<RevealedCard | null>;
  charge(tx: Sql, charge: TestCharge): Promise<ChargeResult>;
}
