import "server-only";
import { type Html, html } from "@/lib/wallet/html";
import type { WalletWords } from "@/lib/wallet/words";

/** Where a passkey's question comes from, where its answer goes, and where the customer goes then. */
interface Addresses {
  options: string;
  answer: string;
  next: string;
}

/** The button that has the device's passkey asked, and the place where the page tells what comes of it. */
export function passkeyButton(
  deed: "create" | "sign",
  { options, answer, next }: Addresses,
  { label, words }: { label: string; words: WalletWords },
): Html {
  return html`<button data-passkey="${deed}" data-options="${options}" data-answer="${answer}" data-next="${next}" data-waiting="${words.waiting}" data-not-confirmed="${words.notConfirmed}" data-failed="${words.failed}">${label}</button>
<p role="status" id="said"></p>
<noscript><p>${words.needsScript}</p></noscript>`;
}
