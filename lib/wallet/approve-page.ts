import "server-only";
import { findWalletPayment, isAwaiting } from "@/lib/agent-payments/find-wallet-payment";
import type { AgentPaymentStatus } from "@/lib/platform/prisma/enums";
import { html } from "@/lib/wallet/html";
import { paymentFacts } from "@/lib/wallet/payment-facts";
import { walletPage, wordsPage } from "@/lib/wallet/wallet-page";

const ENDS: Partial<Record<AgentPaymentStatus, string>> = {
  ready: "You approved this payment. You can close this page.",
  authorized: "This payment is under way. You can close this page.",
  succeeded: "This payment is done. You can close this page.",
  declined: "The card was declined for this payment.",
  canceled: "This payment was canceled. Nothing was charged.",
};

/** Where a customer approves a payment with the passkey. */
export async function approvePage(link: string): Promise<Response> {
  const found = await findWalletPayment("approve", link);
  if (found === null)
    return wordsPage("This link is not valid", "Ask for a new one in your conversation.", 404);
  if (!isAwaiting(found, "approve")) {
    const words =
      ENDS[found.payment.status] ?? "This payment is no longer waiting for you. Nothing was charged.";
    return wordsPage("Nothing to approve", words);
  }

  const title = "Approve this payment";
  return walletPage({
    title,
    body: html`<h1>${title}</h1>${paymentFacts(found)}
<button data-passkey="sign" data-options="/wallet/approve/${link}/options" data-answer="/wallet/approve/${link}" data-next="/wallet/approve/${link}">Approve with passkey</button>
<p role="status" id="said"></p>
<p class="quiet">If you did not ask for this, close this page: nothing is charged without your approval.</p>
<noscript><p>This page needs JavaScript to talk to your device's passkeys.</p></noscript>`,
  });
}
