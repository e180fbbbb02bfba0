import "server-only";
import type { CardContent, StoredAppCardPart, StoredExperience } from "@/lib/messaging/content/app-card-part";
import type { ExperienceInvocation } from "@/lib/messaging/content/message-content";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";

/** The chat and the time of an accepted message. */
interface AcceptedAt {
  accountId: string;
  chatId: string;
  messageId: string;
  at: Date;
}

/** A write by another room, in the transaction that accepts the message. */
export type AcceptEffect = (tx: Sql, accepted: AcceptedAt) => Promise<void>;

/** A payment request whose checkout link a message carries. */
interface LinkedCheckout {
  title: string;
  description: string | null;
  imageUrl: string | null;
  effects: readonly AcceptEffect[];
}

/** A valid experience with its card. */
interface ComposedExperience {
  experience: StoredExperience;
  app: StoredAppCardPart["app"];
  card: CardContent;
  effects: readonly AcceptEffect[];
}

/**
 * The payment functions that messages use: cards, checkout links and codes. lib/payments/message-payments.ts
 * implements them.
 */
export interface PaymentPort {
  /** Whether a URL looks like a checkout link. Reads nothing. */
  isCheckoutLink(url: string): boolean;
  /**
   * Returns the account's payment request whose checkout link is the URL, or null for any other URL. Errors: state_conflict
   * (the request has ended).
   */
  findCheckout(accountId: string, url: string): Promise<LinkedCheckout | null>;
  /** Checks an experience and composes its card. Errors: parameter_invalid, state_conflict. */
  composeExperience(
    ctx: Context,
    invocation: ExperienceInvocation,
    recipients: readonly string[],
  ): Promise<ComposedExperience>;
  /**
   * Returns the URL that only the recipient's phone gets instead of the stored one, or null to deliver the stored one.
   */
  deliveredUrl(accountId: string, experience: StoredExperience): string | null;
  /** Whether `noteInboundText` may do anything with the text. */
  readsText(text: InboundText): Promise<boolean>;
  /** Processes the text of an inbound message, in the transaction that stores it. */
  noteInboundText(tx: Sql, text: InboundText): Promise<void>;
}

/** The text of an inbound message. */
interface InboundText {
  accountId: string;
  handle: string;
  text: string;
  at: Date;
}

const shared = globalThis as typeof globalThis & { trunklinePayments?: PaymentPort };

/** Registers the payment functions. Each process does so at startup (lib/runtime/wiring). */
export function providePayments(port: PaymentPort): void {
  shared.trunklinePayments = port;
}

/** Returns the payment functions. Throws when the process has registered none. */
export function payments(): PaymentPort {
  if (shared.trunklinePayments === undefined) {
    throw new Error(
      "no payments are provided: call registerDependencies() of lib/runtime/wiring at the start",
    );
  }
  return shared.trunklinePayments;
}
