import "server-only";
import { findWallet } from "@/lib/agent-payments/attach-test-card";
import { findWalletPayment, isAwaiting } from "@/lib/agent-payments/find-wallet-payment";
import { walletUrl } from "@/lib/agent-payments/wallet-link";
import type { Language } from "@/lib/checkout/words";
import { type Html, html } from "@/lib/wallet/html";
import { passkeyButton } from "@/lib/wallet/passkey-button";
import { paymentFacts } from "@/lib/wallet/payment-facts";
import { walletPage, wordsPage } from "@/lib/wallet/wallet-page";
import { type WalletWords, walletWords } from "@/lib/wallet/words";

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
  const step = hasCard ? passkeyStep(path, words) : cardStep(path, testCards, words);
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

function passkeyStep(path: string, words: WalletWords): Html {
  const addresses = { options: `${path}/passkey/options`, answer: `${path}/passkey`, next: path };
  return html`<p>${words.passkeyWhy}</p>
${passkeyButton("create", addresses, { label: words.createPasskey, words })}`;
}
