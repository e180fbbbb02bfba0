import "server-only";
import { type Html, html } from "@/lib/payments/checkout/html";
import type { WalletTranslations } from "@/lib/payments/wallet/pages/translations";

/** The URLs of a passkey button: the source of its options, the target of its result, and the next page. */
interface Addresses {
  options: string;
  answer: string;
  next: string;
}

/** Renders the button that requests the device's passkey. */
export function passkeyButton(
  action: "create" | "sign",
  { options, answer, next }: Addresses,
  { label, translations }: { label: string; translations: WalletTranslations },
): Html {
  return html`<button data-passkey="${action}" data-options="${options}" data-answer="${answer}" data-next="${next}" data-waiting="${translations.waiting}" data-not-confirmed="${translations.notConfirmed}" data-wrong-code="${translations.wrongCode}" data-failed="${translations.failed}">${label}</button>`;
}

/** Renders the button that sends the customer a one-time code. */
export function codeButton(
  { send, next }: { send: string; next: string },
  { label, translations, isSecond }: { label: string; translations: WalletTranslations; isSecond: boolean },
): Html {
  return html`<button data-send="${send}" data-next="${next}" data-too-many="${translations.tooManyCodes}" data-failed="${translations.notSent}"${
    isSecond ? html` class="second"` : null
  }>${label}</button>`;
}

/** Renders the element in which the page reports the results of its buttons. */
export function passkeyStatus(translations: WalletTranslations): Html {
  return html`<p role="status" id="status"></p>
<noscript><p>${translations.needsScript}</p></noscript>`;
}
