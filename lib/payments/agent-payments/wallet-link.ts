import "server-only";
import { isSignedText, signText } from "@/lib/platform/crypto";
import { baseUrl } from "@/lib/platform/env";

export type WalletPage = "attach" | "approve";

/** The payment that a wallet page shows. */
export interface WalletSubject {
  account_id: string;
  id: string;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The address of the page on which a customer attaches a card or approves a payment. It is signed for this page and this
 * payment, and as good as the payment: the page shows nothing to do once that has moved on.
 */
export function walletUrl(page: WalletPage, { account_id, id }: WalletSubject): string {
  const signature = signText(`wallet ${page}`, `${account_id}.${id}`);
  return `${baseUrl()}/wallet/${page}/${account_id}.${id}.${signature}`;
}

/** The address of a page of the wallet without what makes it a link of one payment. */
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
