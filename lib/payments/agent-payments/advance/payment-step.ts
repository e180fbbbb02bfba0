import "server-only";
import { MAX_CODE_ATTEMPTS } from "@/lib/payments/connections/one-time-code";
import type { ConnectionStatus } from "@/lib/platform/prisma/enums";
import type { MinorUnits } from "@/lib/platform/text/money";

/** The status of a payment's customer. */
export interface PaymentProgress {
  connection: {
    status: ConnectionStatus;
    codeExpiresAt: Date | null;
    codeTries: number;
    /** Whether a payment under this connection was ever approved. */
    wasApproved: boolean;
  } | null;
  hasCard: boolean;
  hasPasskey: boolean;
}

export interface RequestedStep {
  amountMinor: MinorUnits;
  isApproved: boolean;
  /** The customer must approve every payment above this amount. */
  approvalAboveMinor: MinorUnits;
  now: Date;
}

/** The next step of a payment whose card does not exist yet. */
export type Step = "ask_for_connection" | "wait_for_code" | "attach" | "approve" | "mint";

/**
 * Returns the next step of a payment (docs/contract.md, section 14.1): consent, then a card, then the customer's
 * passkey. A connection's first payment requires the passkey, and so does every payment above the account's limit.
 * Other payments don't involve the customer.
 */
export function nextStep({ connection, hasCard, hasPasskey }: PaymentProgress, asked: RequestedStep): Step {
  if (connection?.status === "pending" && isCodeGood(connection, asked.now)) return "wait_for_code";
  if (connection?.status !== "connected") return "ask_for_connection";
  const needsApproval = !connection.wasApproved || asked.amountMinor > asked.approvalAboveMinor;
  const isApproved = asked.isApproved || !needsApproval;
  if (!hasCard || (!isApproved && !hasPasskey)) return "attach";
  return isApproved ? "mint" : "approve";
}

function isCodeGood(
  { codeExpiresAt, codeTries }: NonNullable<PaymentProgress["connection"]>,
  now: Date,
): boolean {
  return codeExpiresAt !== null && codeExpiresAt > now && codeTries < MAX_CODE_ATTEMPTS;
}
