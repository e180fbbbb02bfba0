import "server-only";
import { walletUrl } from "@/lib/payments/agent-payments/wallet-link";
import { type Html, html } from "@/lib/payments/checkout/html";
import { fill } from "@/lib/payments/checkout/translations";
import { findWallet } from "@/lib/payments/wallet/attach-test-card";
import { findWalletPayment, isAwaiting } from "@/lib/payments/wallet/find-wallet-payment";
import { endPage } from "@/lib/payments/wallet/pages/end-page";
import { codeButton, passkeyButton, passkeyStatus } from "@/lib/payments/wallet/pages/passkey-button";
import { paymentDetails } from "@/lib/payments/wallet/pages/payment-details";
import { type WalletTranslations, walletTranslationsFor } from "@/lib/payments/wallet/pages/translations";
import { walletBranding } from "@/lib/payments/wallet/pages/wallet-branding";
import { messagePage, type WalletVisit, walletPage } from "@/lib/payments/wallet/pages/wallet-page";
import { hasPasskeyCode } from "@/lib/payments/wallet/passkey-enrollment";
import { groupedNumber } from "@/lib/platform/text/phone-formats";

type TestCards = Awaited<ReturnType<typeof findWallet>>["testCards"];

/** Renders the page on which a customer adds a card to the wallet and then creates a passkey. */
export async function attachPage(link: string, { language, isOwnFrame }: WalletVisit): Promise<Response> {
  const translations = walletTranslationsFor(language);
  const found = await findWalletPayment("attach", link);
  if (found === null)
    return messagePage(
      { title: translations.invalidTitle, message: translations.invalid, language, branding: null },
      404,
    );
  const isFramed = isOwnFrame && found.ctx.account.type === "sandbox";
  if (isAwaiting(found, "approve")) {
    return new Response(null, { status: 303, headers: { location: walletUrl("approve", found.payment) } });
  }
  const path = `/wallet/attach/${link}`;
  const page = { language, isFramed, path, branding: await walletBranding(found) };
  if (!isAwaiting(found, "attach")) return endPage(found, page);

  const { hasCard, testCards } = await findWallet(found);
  const step = hasCard
    ? passkeyStep(path, translations, {
        ...found.payment,
        hasCode: await hasPasskeyCode(found.ctx, found.payment),
      })
    : cardStep(path, testCards, translations);
  const title = hasCard ? translations.protectTitle : translations.addTitle;
  return walletPage({
    ...page,
    title,
    body: html`<h1>${title}</h1>${paymentDetails(found, language)}${step}`,
  });
}

function cardStep(path: string, testCards: TestCards, translations: WalletTranslations): Html {
  const choices = testCards.map(
    ({ name, label }, index) =>
      html`<label class="choice"><input type="radio" name="card" value="${name}"${
        index === 0 ? html` checked` : null
      }> ${translations.cards[name] ?? label}</label>`,
  );
  return html`<form method="post" action="${path}">
<fieldset><legend>${translations.chooseCard}</legend>${choices}</fieldset>
<button>${translations.addCard}</button>
</form>`;
}

// Enrollment requires the code from the customer's phone: the link alone is not sufficient.
function passkeyStep(
  path: string,
  translations: WalletTranslations,
  { handle, hasCode }: { handle: string; hasCode: boolean },
): Html {
  const addresses = { options: `${path}/passkey/options`, answer: `${path}/passkey`, next: path };
  const send = { send: `${path}/passkey/code`, next: path };
  if (!hasCode) {
    return html`<p>${translations.passkeyWhy}</p>
<p>${fill(translations.codeWhy, { handle: groupedNumber(handle) })}</p>
${codeButton(send, { label: translations.sendCode, translations, isSecond: false })}
${passkeyStatus(translations)}`;
  }
  return html`<p>${fill(translations.codeSent, { handle: groupedNumber(handle) })}</p>
<p><label for="code">${translations.code}</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="12" required></p>
<p>${translations.passkeyWhy}</p>
${passkeyButton("create", addresses, { label: translations.createPasskey, translations })}
${codeButton(send, { label: translations.sendAnotherCode, translations, isSecond: true })}
${passkeyStatus(translations)}`;
}
