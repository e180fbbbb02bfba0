import "server-only";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { AgentPaymentRow } from "@/lib/payments/agent-payments/agent-payment";
import { advanceWallet } from "@/lib/payments/wallet/advance-wallet";
import { requireWalletPayment, type WalletPayment } from "@/lib/payments/wallet/find-wallet-payment";
import { consumeChallenge, makeChallenge, relyingParty } from "@/lib/payments/wallet/passkey-challenge";
import { challengeOf, type PasskeyAssertion } from "@/lib/platform/crypto/passkey-response";
import { generateAuthenticationOptions, verifyAuthenticationResponse } from "@/lib/platform/crypto/webauthn";
import { sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

const MAX_ATTEMPTS = 10;

type PasskeyRow = RowOf<"find-passkeys">;

/** Returns the options for the browser's passkey request. Errors: name_unknown, state_conflict. */
export async function approvalOptions(link: string) {
  const { payment } = await requireWalletPayment("approve", link);
  const passkeys = await findPasskeys(payment);
  const challenge = await makeChallenge(payment, "approve");
  return generateAuthenticationOptions({
    rpID: relyingParty().rpID,
    challenge: new Uint8Array(Buffer.from(challenge, "base64url")),
    allowCredentials: passkeys.map(({ id }) => ({ id })),
    userVerification: "required",
  });
}

/**
 * Approves a payment with its customer's passkey, then issues the card. The passkey must belong to this customer,
 * verify the user, and sign a challenge made for this payment in its current state. A signature works once. A failed
 * attempt is counted and changes nothing else. Errors: name_unknown, state_conflict, parameter_invalid, and as
 * `advancePayment`.
 */
export async function approvePayment(link: string, assertion: PasskeyAssertion): Promise<AgentPaymentRow> {
  const wallet = await requireWalletPayment("approve", link);
  await countApprovalAttempt(wallet.payment);
  const challenge = challengeOf(assertion.response.clientDataJSON);
  if (!(await consumeChallenge(sql, wallet.payment, "approve", challenge))) {
    fail(
      "parameter_invalid",
      "this approval has expired, was already used or belongs to another payment: try again",
    );
  }
  const passkey = (await findPasskeys(wallet.payment)).find(({ id }) => id === assertion.id);
  const counter = passkey === undefined ? null : await verify(assertion, challenge, passkey);
  if (counter === null)
    fail(
      "parameter_invalid",
      "the passkey could not be verified: unlock your device when prompted and try again",
    );

  await storeApproval(wallet, assertion.id, counter);

  return advanceWallet(wallet);
}

const COUNT_APPROVAL_ATTEMPT = plannedStatement(
  "count-approval-attempt",
  `update agent_payments set approval_tries = approval_tries + 1
  where account_id = :accountId and id = :id and approval_tries < ${MAX_ATTEMPTS} returning 1`,
);

// Counted first, so that concurrent attempts can't share one attempt. A successful approval is not counted.
async function countApprovalAttempt({ account_id, id }: AgentPaymentRow): Promise<void> {
  const taken = await sql.run(COUNT_APPROVAL_ATTEMPT, { accountId: account_id, id });
  if (taken.length === 0) fail("state_conflict", "too many approvals failed: ask for a new payment");
}

const FIND_PASSKEYS = plannedStatement(
  "find-passkeys",
  "select id, public_key, counter from passkeys where account_id = :accountId and handle = :handle",
);

async function findPasskeys({ account_id, handle }: AgentPaymentRow): Promise<PasskeyRow[]> {
  return sql.run(FIND_PASSKEYS, { accountId: account_id, handle });
}

/** Returns the passkey's new counter, or null for an invalid signature. */
async function verify(
  assertion: PasskeyAssertion,
  challenge: string,
  passkey: PasskeyRow,
): Promise<number | null> {
  const { rpID, origin } = relyingParty();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: assertion,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: Number(passkey.counter),
      },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}

const APPROVE_HANDLE_CONNECTION = plannedStatement(
  "approve-handle-connection",
  `update handle_connections set approved_at = coalesce(approved_at, :now)
  where account_id = :accountId and provider = :provider and handle = :handle and status = 'connected'`,
);

const APPROVE_AGENT_PAYMENT = plannedStatement(
  "approve-agent-payment",
  `update agent_payments set approved_at = :now, approval_tries = 0
  where account_id = :accountId and id = :paymentId and status = 'awaiting_user_action' and approved_at is null
  returning 1`,
);

const RECORD_PASSKEY_USE = plannedStatement(
  "record-passkey-use",
  "update passkeys set counter = :counter, last_used_at = :now where account_id = :accountId and id = :passkeyId returning 1",
);

async function storeApproval(
  { ctx, payment }: WalletPayment,
  passkeyId: string,
  counter: number,
): Promise<void> {
  await transaction(async (tx) => {
    // Locks the connection before the payment, in the same order as the code that issues the card.
    await tx.run(APPROVE_HANDLE_CONNECTION, {
      accountId: payment.account_id,
      provider: payment.provider,
      handle: payment.handle,
      now: ctx.now,
    });
    const approved = await tx.run(APPROVE_AGENT_PAYMENT, {
      accountId: payment.account_id,
      paymentId: payment.id,
      now: ctx.now,
    });
    if (approved.length === 0)
      fail("state_conflict", "the status of the payment has changed: reload the page");
    const used = await tx.run(RECORD_PASSKEY_USE, {
      accountId: payment.account_id,
      passkeyId,
      counter,
      now: ctx.now,
    });
    // The passkey was reset or revoked after it signed.
    if (used.length === 0) fail("state_conflict", "the passkey was removed: create another passkey");
    await recordAudit(tx, ctx, "agent_payment.approved", "agent_payment", payment.id);
  });
}
