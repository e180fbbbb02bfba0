import "server-only";
import type {
  CardContent,
  StoredAppCardPart,
  StoredExperience,
} from "@/lib/messaging/messages/app-card-part";
import type { ExperienceInvocation } from "@/lib/messaging/messages/message-content";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/db";

/** The chat and the time of an accepted message. */
interface AcceptedAt {
  accountId: string;
  chatId: string;
  messageId: string;
  at: Date;
}

/** Something another room stores with a message, in the transaction that accepts it. */
export type AcceptEffect = (tx: Sql, accepted: AcceptedAt) => Promise<void>;

/** A payment request whose checkout link a message carries. */
interface LinkedCheckout {
  title: string;
  description: string | null;
  imageUrl: string | null;
  effects: readonly AcceptEffect[];
}

/** An experience that may be sent, with the card it is delivered as. */
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
  /** The account's own payment request that a URL is the checkout link of; null for any other URL. */
  findCheckout(accountId: string, url: string): Promise<LinkedCheckout | null>;
  /** Checks an experience and composes its card. Errors: parameter_invalid, state_conflict. */
  composeExperience(
    ctx: Context,
    invocation: ExperienceInvocation,
    recipients: readonly string[],
  ): Promise<ComposedExperience>;
  /** The URL only the recipient's phone gets in place of the stored one; null where the stored one is delivered. */
  deliveredUrl(accountId: string, experience: StoredExperience): string | null;
  /** Looks at what a customer wrote, in the transaction that stores it. */
  noteInboundText(
    tx: Sql,
    text: { accountId: string; handle: string; text: string; at: Date },
  ): Promise<void>;
}

const shared = globalThis as typeof globalThis & { trunklinePayments?: PaymentPort };

/** Gives messages their payments. Each process does so at its start (lib/runtime/wiring). */
export function providePayments(port: PaymentPort): void {
  shared.trunklinePayments = port;
}

/** Throws when the process provided no payments. */
export function payments(): PaymentPort {
  if (shared.trunklinePayments === undefined) {
    throw new Error("no payments are provided: call connectRooms() of lib/runtime/wiring at the start");
  }
  return shared.trunklinePayments;
}
