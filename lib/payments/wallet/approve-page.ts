import "server-only";
import { findWalletPayment, isAwaiting } from "@/lib/payments/agent-payments/find-wallet-payment";
import { walletUrl } from "@/lib/payments/agent-payments/wallet-link";
import type { Language } from "@/lib/payments/checkout/words";
import { html } from "@/lib/payments/wallet/html";
import { passkeyButton, passkeyStatus } from "@/lib/payments/wallet/passkey-button";
import { paymentFacts } from "@/lib/payments/wallet/payment-facts";
import { walletPage, wordsPage } from "@/lib/payments/wallet/wallet-page";
import { type WalletWords, walletWords } from "@/lib/payments/wallet/words";
import type { AgentPaymentStatus } from "@/lib/platform/prisma/enums";

/** Where a customer approves a payment with the passkey. */
export async function approvePage(link: string, language: Language): Promise<Response> {
  const words = walletWords(language);
  const found = await findWalletPayment("approve", link);
  if (found === null) return wordsPage({ title: words.invalidTitle, words: words.invalid, language }, 404);
  if (isAwaiting(found, "attach")) {
    return new Response(null, { status: 303, headers: { location: walletUrl("attach", found.payment) } });
  }
  if (!isAwaiting(found, "approve")) {
    return wordsPage({ title: words.noApprovalTitle, words: endOf(found.payment.status, words), language });
  }

  const title = words.approveTitle;
  const path = `/wallet/approve/${link}`;
  return walletPage({
    title,
    language,
    body: html`<h1>${title}</h1>${paymentFacts(found, language)}
${passkeyButton("sign", { options: `${path}/options`, answer: path, next: path }, { label: words.approve, words })}
${passkeyStatus(words)}
<p class="quiet">${words.notAsked}</p>`,
  });
}

function endOf(status: AgentPaymentStatus, { ends }: WalletWords): string {
  const told: Partial<Record<AgentPaymentStatus, string>> = ends;
  return told[status] ?? ends.other;
}
