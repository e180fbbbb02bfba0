import "server-only";
import { EVENT_TYPES } from "@/lib/events/catalog/event-types";
import type { WebhookEnvelope } from "@/lib/events/catalog/render-event";
import type { Context } from "@/lib/platform/context";
import { forReader } from "@/lib/platform/rights/redact-wallet-links";
import { hasRight } from "@/lib/platform/rights/role-rights";

const OF_PAYMENTS = /^(payment|connection)[._]/;

/** The value in place of a payload that the reader's role must not see. */
export const HIDDEN_PAYLOAD = { hidden: "Your role can't read the payloads of payments." };

/** Whether the reader may see payloads of events of this type. */
export function mayReadPayload(ctx: Context, type: string): boolean {
  return !OF_PAYMENTS.test(type) || hasRight(ctx, "view_payment_payloads");
}

/**
 * The wanted types (empty = all) whose payloads the reader may search, because search results reveal payload content.
 * An empty list = all types; null = none.
 */
export function readableTypes(ctx: Context, wanted: readonly string[]): string[] | null {
  const asked = wanted.length === 0 ? EVENT_TYPES : wanted;
  const readable = asked.filter((type) => mayReadPayload(ctx, type));
  if (readable.length === EVENT_TYPES.length) return [];
  return readable.length === 0 ? null : readable;
}

/**
 * A rendered event for this reader: always the envelope, the data only with the required right, and wallet links only for
 * readers who manage payments.
 */
export function hidePayload(ctx: Context, envelope: WebhookEnvelope): WebhookEnvelope {
  if (!mayReadPayload(ctx, envelope.event_type)) return { ...envelope, data: HIDDEN_PAYLOAD };
  return forReader(ctx, envelope);
}

/** Whether `hidePayload` never hides anything from this reader. */
export function readsEveryPayload(ctx: Context): boolean {
  return ctx.actor.type !== "user" || hasRight(ctx, "manage_payments");
}
