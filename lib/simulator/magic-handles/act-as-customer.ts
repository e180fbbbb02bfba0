import "server-only";
import { createECDH, createPrivateKey, createPublicKey } from "node:crypto";
import type { PaymentMessage } from "@/lib/adapters/transports/customer-port";
import { type WalletPage, walletUrl } from "@/lib/payments/agent-payments/wallet-link";
import { payWithTestCard } from "@/lib/payments/requests/attempt-payment";
import { sessionOfLink } from "@/lib/payments/requests/checkout-session";
import { findCheckout } from "@/lib/payments/requests/find-checkout";
import { approvalOptions, approvePayment } from "@/lib/payments/wallet/approve-payment";
import { attachTestCard, findWallet } from "@/lib/payments/wallet/attach-test-card";
import { findWalletPayment, isAwaiting } from "@/lib/payments/wallet/find-wallet-payment";
import { relyingParty } from "@/lib/payments/wallet/passkey-challenge";
import { passkeyOptions, registerPasskey } from "@/lib/payments/wallet/register-passkey";
import { sendPasskeyCode } from "@/lib/payments/wallet/send-passkey-code";
import { deriveSecret, sha256 } from "@/lib/platform/crypto/crypto";
import { NewPasskey, PasskeyAssertion } from "@/lib/platform/crypto/passkey-response";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { ApiError } from "@/lib/platform/errors/errors";
import { log } from "@/lib/platform/telemetry/log";
import { registerWith, type SoftwarePasskey, signWith } from "@/lib/simulator/magic-handles/software-passkey";

const CHECKOUT_CARDS = { pays: "succeeds", declines: "declined" } as const;
const WALLET_CARD = "pays";
const MAX_ATTEMPTS = 3;
const REFUSAL = "No, I don't approve this payment.";
const URLS = /https?:\/\/[^\s"<>]+/g;
const CONSENT_CODE = /^(\d{6}) is your code to let /;
const PASSKEY_CODE = /^(\d{6}) is your code to create a passkey /;

/**
 * Lets the person who holds a phone act on a message: pays through the checkout page, replies with the code that
 * connects the person, and uses the wallet pages with a test card and a passkey. Returns the reply, or null. The pages
 * check everything as for a browser. A refusal of a page is only logged.
 */
export async function actAsCustomer(message: PaymentMessage): Promise<string | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act(message);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The payment advanced between two steps. The reloaded page offers the next step.
      if (error.errorName === "state_conflict" && attempt < MAX_ATTEMPTS) continue;
      log.debug(
        { err: error, accountId: message.accountId },
        "a simulated customer was refused by a payment page",
      );
      return null;
    }
  }
}

function act(message: PaymentMessage): Promise<string | null> {
  const { behavior } = message;
  if (behavior === "pays" || behavior === "declines") return payLinks(message, CHECKOUT_CARDS[behavior]);
  return visitWallet(message);
}

async function payLinks({ accountId, parts }: PaymentMessage, card: string): Promise<null> {
  for (const url of urlsIn(parts)) {
    const session = sessionOfLink(url);
    const request = session === null ? null : await findCheckout(session);
    if (request?.accountId === accountId) await payWithTestCard(request, card);
  }
  return null;
}

async function visitWallet(message: PaymentMessage): Promise<string | null> {
  const text = textsIn(message.parts).join("\n");
  const consentCode = CONSENT_CODE.exec(text)?.[1];
  if (consentCode !== undefined) return consentCode;
  const passkeyCode = PASSKEY_CODE.exec(text)?.[1];
  if (passkeyCode !== undefined) return createPasskey(message, passkeyCode);
  const urls = urlsIn(message.parts);
  const attach = linkIn(urls, "attach");
  if (attach !== null) return openAttachPage(message, attach);
  const approve = linkIn(urls, "approve");
  return approve === null ? null : decide(message, approve);
}

/** Adds a card if the wallet has none, then requests the code with which the page creates a passkey. */
async function openAttachPage(message: PaymentMessage, link: string): Promise<string | null> {
  const before = await findWalletPayment("attach", link);
  if (before === null) return null;
  if (!isAwaiting(before, "attach")) return followToApproval(message, link);
  const { hasCard } = await findWallet(before);
  if (!hasCard) await attachTestCard(link, WALLET_CARD);
  const after = await findWalletPayment("attach", link);
  if (after === null || !isAwaiting(after, "attach")) return followToApproval(message, link);
  await sendPasskeyCode(link);
  return null;
}

async function createPasskey(message: PaymentMessage, code: string): Promise<string | null> {
  const link = await findAttachLink(message);
  if (link === null) return null;
  const found = await findWalletPayment("attach", link);
  if (found === null || !isAwaiting(found, "attach")) return followToApproval(message, link);
  const { challenge } = await passkeyOptions(link, code);
  const passkey = registerWith(passkeyOf(message), { challenge, ...relyingParty() });
  await registerPasskey(link, NewPasskey.parse(passkey));
  return followToApproval(message, link);
}

/** The attach page redirects to the approval page once the wallet is complete. */
async function followToApproval(message: PaymentMessage, link: string): Promise<string | null> {
  const found = await findWalletPayment("attach", link);
  if (found === null || !isAwaiting(found, "approve")) return null;
  const approve = linkIn([walletUrl("approve", found.payment)], "approve");
  return approve === null ? null : decide(message, approve);
}

async function decide(message: PaymentMessage, link: string): Promise<string | null> {
  if (message.behavior === "denies") return REFUSAL;
  const { challenge } = await approvalOptions(link);
  const assertion = signWith(passkeyOf(message), { challenge, ...relyingParty() });
  await approvePayment(link, PasskeyAssertion.parse(assertion));
  return null;
}

const FIND_ATTACH_LINK = plannedStatement(
  "find-attach-link",
  `select parts from simulator_messages
  where account_id = :accountId and handle = :handle and sender <> :handle and parts::text like '%/wallet/attach/%'
  order by created_at desc, ref desc limit 1`,
);

// The page in the person's browser: the latest attach link on the phone.
async function findAttachLink({ accountId, handle }: PaymentMessage): Promise<string | null> {
  const [latest] = await sql.run(FIND_ATTACH_LINK, { accountId, handle });
  return latest === undefined ? null : linkIn(urlsIn(latest.parts), "attach");
}

function linkIn(urls: readonly string[], page: WalletPage): string | null {
  const prefix = `${relyingParty().origin}/wallet/${page}/`;
  return urls.find((url) => url.startsWith(prefix))?.slice(prefix.length) ?? null;
}

const textsIn = (parts: PaymentMessage["parts"]) =>
  parts.flatMap(({ value }) => (typeof value === "string" ? [value] : []));

/** The URLs that the phone shows: in texts, as links, and as the targets of cards. */
function urlsIn(parts: PaymentMessage["parts"]): string[] {
  const shown = parts.flatMap(({ value, url }) => [value, url]);
  return shown.flatMap((text) => (typeof text === "string" ? (text.match(URLS) ?? []) : []));
}

/**
 * The passkey on a person's device. Derived from ENCRYPTION_KEY instead of stored, so that no table contains a private
 * key.
 */
function passkeyOf({ accountId, handle }: PaymentMessage): SoftwarePasskey {
  const secret = sha256(deriveSecret(`simulated passkey ${accountId} ${handle}`));
  const curve = createECDH("prime256v1");
  curve.setPrivateKey(secret);
  const point = curve.getPublicKey();
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  return {
    id: sha256(`${point.toString("hex")} ${accountId} ${handle}`).subarray(0, 16),
    privateKey: createPrivateKey({ key: { ...jwk, d: secret.toString("base64url") }, format: "jwk" }),
    publicKey: createPublicKey({ key: jwk, format: "jwk" }),
  };
}
