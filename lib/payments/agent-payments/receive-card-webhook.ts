import "server-only";
import type { CardProvider, CardWebhook } from "@/lib/adapters/card-providers/card-provider";
import { findCardProvider } from "@/lib/adapters/card-providers/registry";
import { SignatureRefused } from "@/lib/adapters/signature-refused";
import { closeCards } from "@/lib/payments/agent-payments/close-cards";
import { decideCharge } from "@/lib/payments/agent-payments/decide-charge";
import { followProvider } from "@/lib/payments/agent-payments/follow-provider";
import { recordCardEvent } from "@/lib/payments/agent-payments/record-card-event";
import { recordVendorEvent } from "@/lib/payments/requests/record-vendor-event";
import { transaction } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";

/** The response to a webhook. */
interface WebhookAnswer {
  body: object;
  headers: Record<string, string>;
}

const TAKEN: WebhookAnswer = { body: { received: true }, headers: {} };

/** Checked before a webhook's body is read. Errors: route_unknown when this instance takes none of the provider's. */
export function requireCardWebhooks(name: string): void {
  const provider = findCardProvider(name);
  const missing = provider?.missingForWebhooks?.() ?? null;
  if (provider?.receive === undefined) fail("route_unknown", `${name} does not send webhooks`);
  if (missing !== null) fail("route_unknown", `${name} is not configured on this instance: set ${missing}`);
}

/**
 * Takes a card provider's webhook in: each once, and only a signed one. A merchant's charge it asks about is decided in
 * the answer. Errors: access_denied for a signature that is not right, and as `callProvider`; any makes the provider send
 * it again.
 */
export async function receiveCardWebhook(
  name: string,
  headers: Headers,
  text: string,
): Promise<WebhookAnswer> {
  const provider = findCardProvider(name);
  if (provider?.receive === undefined) return fail("route_unknown", `${name} does not send webhooks`);
  const webhook = await provider.receive(headers, text).catch((error: unknown) => {
    if (error instanceof SignatureRefused) return fail("access_denied", "the signature is invalid");
    throw error;
  });
  return follow(provider, webhook);
}

async function follow(provider: CardProvider, { eventId, notice }: CardWebhook): Promise<WebhookAnswer> {
  if (notice === null) return TAKEN;
  if (notice.about === "request") {
    const isApproved = await decideCharge({ provider: provider.name, eventId, request: notice.request });
    return provider.answer?.(isApproved) ?? TAKEN;
  }
  if (notice.about === "account") {
    await followProvider(provider, notice.accountId);
    return TAKEN;
  }

  const accountId = await transaction(async (tx) => {
    if (!(await recordVendorEvent(tx, provider.name, eventId))) return null;
    const { cardRef, chargeRef, at, events } = notice;
    let moved: string | null = null;
    for (const on of events) {
      const row = await recordCardEvent(tx, { provider: provider.name, cardRef, chargeRef, on, at });
      moved = row?.account_id ?? moved;
    }
    return moved;
  });

  // The cards of payments that the charge ended are closed now rather than at the next sweep.
  if (accountId !== null) await closeCards(accountId);
  return TAKEN;
}
