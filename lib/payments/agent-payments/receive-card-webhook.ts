import "server-only";
import type { CardProvider, CardWebhook } from "@/lib/adapters/card-providers/card-provider";
import { findCardProvider } from "@/lib/adapters/card-providers/registry";
import { SignatureRefused } from "@/lib/adapters/signature-refused";
import { closeCards } from "@/lib/payments/agent-payments/cards/close-cards";
import { decideCharge } from "@/lib/payments/agent-payments/cards/decide-charge";
import { noticeCardRefund } from "@/lib/payments/agent-payments/cards/notice-card-refund";
import { recordCardEvent } from "@/lib/payments/agent-payments/cards/record-card-event";
import { followProvider } from "@/lib/payments/card-providers/follow-provider";
import { recordVendorEvent } from "@/lib/payments/processors/record-vendor-event";
import { transaction } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";

interface WebhookAnswer {
  body: object;
  headers: Record<string, string>;
}

const TAKEN: WebhookAnswer = { body: { received: true }, headers: {} };

/**
 * Checks the name before the body is read. Errors: route_unknown when this instance accepts no webhooks from the
 * provider.
 */
export function requireCardWebhooks(name: string): void {
  const provider = findCardProvider(name);
  const missing = provider?.missingForWebhooks?.() ?? null;
  if (provider?.receive === undefined) fail("route_unknown", `${name} does not send webhooks`);
  if (missing !== null) fail("route_unknown", `${name} is not configured on this instance: set ${missing}`);
}

/**
 * Processes a signed webhook from a card provider, each event once. A charge authorization request is decided in the
 * response. Errors: access_denied for an invalid signature, and as `callProvider`. The provider resends the webhook
 * after any error.
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

  if (notice.about === "refund") {
    await transaction(async (tx) => {
      if (await recordVendorEvent(tx, provider.name, eventId))
        await noticeCardRefund(tx, provider.name, notice);
    });
    return TAKEN;
  }

  const accountId = await transaction(async (tx) => {
    if (!(await recordVendorEvent(tx, provider.name, eventId))) return null;
    const { about: _, events, ...report } = notice;
    let moved: string | null = null;
    for (const on of events) {
      const row = await recordCardEvent(tx, { provider: provider.name, ...report, on });
      moved = row?.account_id ?? moved;
    }
    return moved;
  });

  // Closes the cards of ended payments now instead of at the next sweep.
  if (accountId !== null) await closeCards(accountId);
  return TAKEN;
}
