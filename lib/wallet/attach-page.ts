import "server-only";
import { findWallet } from "@/lib/agent-payments/attach-test-card";
import { findWalletPayment, isAwaiting } from "@/lib/agent-payments/find-wallet-payment";
import { walletUrl } from "@/lib/agent-payments/wallet-link";
import { type Html, html } from "@/lib/wallet/html";
import { paymentFacts } from "@/lib/wallet/payment-facts";
import { walletPage, wordsPage } from "@/lib/wallet/wallet-page";

type TestCards = Awaited<ReturnType<typeof findWallet>>["testCards"];

/** Where a customer puts a card and a passkey into the wallet, one after the other. */
export async function attachPage(link: string): Promise<Response> {
  const found = await findWalletPayment("attach", link);
  if (found === null)
    return wordsPage("This link is not valid", "Ask for a new one in your conversation.", 404);
  if (isAwaiting(found, "approve")) {
    return new Response(null, { status: 303, headers: { location: walletUrl("approve", found.payment) } });
  }
  if (!isAwaiting(found, "attach")) {
    return wordsPage(
      "Nothing to do here",
      "Your wallet is ready, or this payment has ended. You can close this page.",
    );
  }

  const { hasCard, testCards } = await findWallet(found);
  const step = hasCard ? passkeyStep(link) : cardStep(link, testCards);
  const title = hasCard ? "Protect your wallet" : "Add a card";
  return walletPage({ title, body: html`<h1>${title}</h1>${paymentFacts(found)}${step}` });
}

function cardStep(link: string, testCards: TestCards): Html {
  const choices = testCards.map(
    ({ name, label }, index) =>
      html`<label class="choice"><input type="radio" name="card" value="${name}"${
        index === 0 ? html` checked` : null
      }> ${label}</label>`,
  );
  return html`<form method="post" action="/wallet/attach/${link}">
<fieldset><legend>Choose a test card. Never type a real card number here.</legend>${choices}</fieldset>
<button>Add card</button>
</form>`;
}

function passkeyStep(link: string): Html {
  return html`<p>A passkey approves your payments: your face, your fingerprint or your device's code. Nobody else can
approve with it.</p>
<button data-passkey="create" data-options="/wallet/attach/${link}/passkey/options" data-answer="/wallet/attach/${link}/passkey" data-next="/wallet/attach/${link}">Create a passkey</button>
<p role="status" id="said"></p>
<noscript><p>This page needs JavaScript to talk to your device's passkeys.</p></noscript>`;
}
