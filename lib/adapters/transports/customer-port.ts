import "server-only";

/** The ways in which the person who holds a phone treats payments. */
export type CustomerBehavior = "pays" | "declines" | "approves" | "denies";

/** A message with payment links or a one-time code, as its phone shows it. */
export interface PaymentMessage {
  accountId: string;
  handle: string;
  behavior: CustomerBehavior;
  parts: readonly Readonly<Record<string, unknown>>[];
}

/**
 * Uses the payment pages as the person would who read this message. Returns the text that the person replies with, or
 * null. A page that refuses ends the person's attempt.
 */
type Customer = (message: PaymentMessage) => Promise<string | null>;

const shared = globalThis as typeof globalThis & { trunklineCustomer?: Customer };

/** Connects the room that knows the payment pages. Every process calls it at its start (lib/runtime/wiring). */
export function provideCustomer(customer: Customer): void {
  shared.trunklineCustomer = customer;
}

/** Lets the person act on a message. Throws when no room is connected. */
export function actAsCustomer(message: PaymentMessage): Promise<string | null> {
  if (shared.trunklineCustomer === undefined) {
    throw new Error(
      "no customer is provided: call registerDependencies() of lib/runtime/wiring at the start",
    );
  }
  return shared.trunklineCustomer(message);
}
