import "server-only";
import type { AgentPaymentRow } from "@/lib/payments/agent-payments/agent-payment";
import { sha256 } from "@/lib/platform/crypto/crypto";
import { type Sql, sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { baseUrl } from "@/lib/platform/env";
import { secretBytes } from "@/lib/platform/ids";
import type { PasskeyPurpose } from "@/lib/platform/prisma/enums";
import { now } from "@/lib/platform/time/clock";

const TTL_MS = 5 * 60_000;

/** The relying party of passkeys: the host of the wallet pages. */
export function relyingParty(): { rpID: string; origin: string } {
  const url = new URL(baseUrl());
  return { rpID: url.hostname, origin: url.origin };
}

const INSERT_PASSKEY_CHALLENGE = plannedStatement(
  "insert-passkey-challenge",
  `insert into passkey_challenges (account_id, challenge, purpose, payment_id, bound_to, expires_at)
  values (:accountId, :challenge, :purpose::text::passkey_purpose, :paymentId, :boundTo, :expiresAt)`,
);

/**
 * Creates a challenge for a passkey to sign. It is valid once, for five minutes, for this purpose, and for this payment
 * with its current amount and merchant.
 */
export async function makeChallenge(payment: AgentPaymentRow, purpose: PasskeyPurpose): Promise<string> {
  const challenge = secretBytes(32).toString("base64url");
  await sql.run(INSERT_PASSKEY_CHALLENGE, {
    accountId: payment.account_id,
    challenge,
    purpose,
    paymentId: payment.id,
    boundTo: boundTo(payment),
    expiresAt: new Date(now().getTime() + TTL_MS),
  });
  return challenge;
}

const CONSUME_PASSKEY_CHALLENGE = plannedStatement(
  "consume-passkey-challenge",
  `delete from passkey_challenges
  where account_id = :accountId and challenge = :challenge and purpose = :purpose::text::passkey_purpose and payment_id = :paymentId
    and bound_to = :boundTo and expires_at > :now returning 1`,
);

/** Consumes a challenge. Returns false when it was created for anything else, was already used, or has expired. */
export async function consumeChallenge(
  on: Sql,
  payment: AgentPaymentRow,
  purpose: PasskeyPurpose,
  challenge: string,
): Promise<boolean> {
  const used = await on.run(CONSUME_PASSKEY_CHALLENGE, {
    accountId: payment.account_id,
    challenge,
    purpose,
    paymentId: payment.id,
    boundTo: boundTo(payment),
    now: now(),
  });
  return used.length > 0;
}

// The content that the customer saw. An approval does not apply to a payment that changed afterwards.
function boundTo({ id, amount_minor, currency, merchant_name, merchant_url }: AgentPaymentRow): Buffer {
  return sha256(JSON.stringify([id, amount_minor, currency, merchant_name, merchant_url]));
}
