import "server-only";
import { type Html, html } from "@/lib/payments/wallet/html";
import type { WalletWords } from "@/lib/payments/wallet/words";

/** Where a passkey's question comes from, where its answer goes, and where the customer goes then. */
interface Addresses {
  options: string;
  answer: string;
  next: string;
}

/** The button that has the device's passkey asked. */
export function passkeyButton(
  action: "create" | "sign",
  { options, answer, next }: Addresses,
  { label, words }: { label: string; words: WalletWords },
): Html {
  return html`<button data-passkey="${action}" data-options="${options}" data-answer="${answer}" data-next="${next}" data-waiting="${words.waiting}" data-not-confirmed="${words.notConfirmed}" data-wrong-code="${words.wrongCode}" data-failed="${words.failed}">${label}</button>`;
}

/** The button that has a one-time code sent to the customer. */
export function codeButton(
  { send, next }: { send: string; next: string },
  { label, words, isSecond }: { label: string; words: WalletWords; isSecond: boolean },
): Html {
  return html`<button data-send="${send}" data-next="${next}" data-too-many="${words.tooManyCodes}" data-failed="${words.notSent}"${
    isSecond ? html` class="second"` : null
  }>${label}</button>`;
}

/** Where the page reports what came of its buttons. */
export function passkeyStatus(words: WalletWords): Html {
  return html`<p role="status" id="status"></p>
<noscript><p>${words.needsScript}</p></noscript>`;
}
