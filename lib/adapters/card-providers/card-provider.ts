import "server-only";
import type { Sql } from "@/lib/platform/db";

/** Who pays: a customer of an account, as the provider knows one. */
export interface Customer {
  accountId: string;
  handle: string;
}

/** A card for one payment: it takes one charge of up to this amount. */
export interface CardOrder extends Customer {
  paymentId: string;
  /** In minor units. */
  amountCents: number;
  /** ISO 4217, in small letters. */
  currency: string;
  merchant: { name: string | null; url: string | null };
}

/** What a caller fetches the card with, from the provider itself. Holds no number and no security code. */
interface Handoff {
  cardRef: string;
  fetchUrl: string;
  provider: string;
  /** A bearer for this card alone, good for minutes. */
  userToken: string;
}

/** What happened to a card at a merchant. */
export type CardEvent = "authorized" | "captured" | "declined";

/**
 * Whoever makes the cards of agent payments. Rejects with an AdapterError. The core asks for a card only for a customer
 * who is connected, and may ask for the same again. Every provider passes `conformance.ts`.
 */
export interface CardProvider {
  /** Its name on the wire. */
  readonly name: string;
  /** No money moves with it: only sandbox accounts may use it. */
  readonly isSandbox: boolean;
  /** Where an admin authorizes the account; ends with a visit to the onboarding's own return address. */
  onboard(session: { accountId: string; sessionId: string }): Promise<{ hostedUrl: string }>;
  /** Whether the customer has a card on file to pay from. */
  hasCard(customer: Customer): Promise<boolean>;
  /** Makes a card; for one payment id always the same. */
  mint(order: CardOrder): Promise<{ cardRef: string }>;
  /** The card made for a payment id, whatever became of it; null when none was. */
  findCard(accountId: string, paymentId: string): Promise<{ cardRef: string } | null>;
  handoff(accountId: string, cardRef: string): Promise<Handoff>;
  /** Ends a card for good; again is fine, and so is a card that was used up. */
  close(accountId: string, cardRef: string): Promise<void>;
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
  amountCents: number;
  currency: string;
  /** false: only authorizes. A second charge with true captures. */
  capture: boolean;
}

/** What came of it: the events of the card, none when number or code were wrong. */
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
