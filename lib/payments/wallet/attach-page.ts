import "server-only";
import { findWallet } from "@/lib/payments/agent-payments/attach-test-card";
import { findWalletPayment, isAwaiting } from "@/lib/payments/agent-payments/find-wallet-payment";
import { hasPasskeyCode } from "@/lib/payments/agent-payments/passkey-enrollment";
import { walletUrl } from "@/lib/payments/agent-payments/wallet-link";
import { fill, type Language } from "@/lib/payments/checkout/words";
import { type Html, html } from "@/lib/payments/wallet/html";
import { codeButton, passkeyButton, passkeyStatus } from "@/lib/payments/wallet/passkey-button";
import { paymentFacts } from "@/lib/payments/wallet/payment-facts";
import { walletPage, wordsPage } from "@/lib/payments/wallet/wallet-page";
import { type WalletWords, walletWords } from "@/lib/payments/wallet/words";

type TestCards = Awaited<ReturnType<typeof findWallet>>["testCards"];

/** Where a customer puts a card and a passkey into the wallet, one after the other. */
export async function attachPage(link: string, language: Language): Promise<Response> {
  const words = walletWords(language);
  const found = await findWalletPayment("attach", link);
  if (found === null) return wordsPage({ title: words.invalidTitle, words: words.invalid, language }, 404);
  if (isAwaiting(found, "approve")) {
    return new Response(null, { status: 303, headers: { location: walletUrl("approve", found.payment) } });
  }
  if (!isAwaiting(found, "attach")) {
    return wordsPage({ title: words.idleTitle, words: words.idle, language });
  }

  const { hasCard, testCards } = await findWallet(found);
  const path = `/wallet/attach/${link}`;
  const step = hasCard
    ? passkeyStep(path, words, { ...found.payment, hasCode: await hasPasskeyCode(found.ctx, found.payment) })
    : cardStep(path, testCards, words);
  const title = hasCard ? words.protectTitle : words.addTitle;
  return walletPage({
    title,
    language,
    body: html`<h1>${title}</h1>${paymentFacts(found, language)}${step}`,
  });
}

function cardStep(path: string, testCards: TestCards, words: WalletWords): Html {
  const choices = testCards.map(
    ({ name, label }, index) =>
      html`<label class="choice"><input type="radio" name="card" value="${name}"${
        index === 0 ? html` checked` : null
      }> ${words.cards[name] ?? label}</label>`,
  );
  return html`<form method="post" action="${path}">
<fieldset><legend>${words.chooseCard}</legend>${choices}</fieldset>
<button>${words.addCard}</button>
</form>`;
}

// Without the code from the customer's phone nothing is enrolled: whoever has only the link stops here.
function passkeyStep(
  path: string,
  words: WalletWords,
  { handle, hasCode }: { handle: string; hasCode: boolean },
): Html {
  const addresses = { options: `${path}/passkey/options`, answer: `${path}/passkey`, next: path };
  const send = { send: `${path}/passkey/code`, next: path };
  if (!hasCode) {
    return html`<p>${words.passkeyWhy}</p>
<p>${fill(words.codeWhy, { handle })}</p>
${codeButton(send, { label: words.sendCode, words, isSecond: false })}
${passkeyStatus(words)}`;
  }
  return html`<p>${fill(words.codeSent, { handle })}</p>
<p><label for="code">${words.code}</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="12" required></p>
<p>${words.passkeyWhy}</p>
${passkeyButton("create", addresses, { label: words.createPasskey, words })}
${codeButton(send, { label: words.sendAnotherCode, words, isSecond: true })}
${passkeyStatus(words)}`;
}
