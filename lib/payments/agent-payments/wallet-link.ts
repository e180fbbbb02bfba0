import "server-only";
import { isSignedText, signText } from "@/lib/platform/crypto/crypto";
import { baseUrl } from "@/lib/platform/env";

export type WalletPage = "attach" | "approve";

/** The payment that a wallet page shows. */
export interface WalletSubject {
  account_id: string;
  id: string;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Returns the URL of the page on which a customer attaches a card or approves a payment. The signature covers this page
 * and this payment. The page offers no action once the payment has moved on.
 */
export function walletUrl(page: WalletPage, { account_id, id }: WalletSubject): string {
  const signature = signText(`wallet ${page}`, `${account_id}.${id}`);
  return `${baseUrl()}/wallet/${page}/${account_id}.${id}.${signature}`;
}

/** Returns the URL of a wallet page with its signed part redacted, so it opens no payment. */
export function shownWalletUrl(page: WalletPage): string {
  return `${baseUrl()}/wallet/${page}/[redacted]`;
}

/** Parses a link that `walletUrl` made for this page. Returns null for any other link. */
export function readWalletLink(page: WalletPage, link: string): WalletSubject | null {
  const [accountId = "", id = "", signature = ""] = link.split(".");
  if (!UUID.test(accountId) || !UUID.test(id)) return null;
  if (!isSignedText(`wallet ${page}`, `${accountId}.${id}`, signature)) return null;
  return { account_id: accountId, id };
}
