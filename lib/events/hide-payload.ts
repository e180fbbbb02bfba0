import "server-only";
import { EVENT_TYPES } from "@/lib/events/event-types";
import type { WebhookEnvelope } from "@/lib/events/render-event";
import type { Context } from "@/lib/platform/context";
import { hasRight } from "@/lib/platform/role-rights";

const OF_PAYMENTS = /^(payment|connection)[._]/;

/** The value in place of a payload that the reader's role must not see. */
export const HIDDEN_PAYLOAD = { hidden: "Your role can't read the payloads of payments." };

/** Whether the reader may see what an event of this type carries. */
export function mayReadPayload(ctx: Context, type: string): boolean {
  return !OF_PAYMENTS.test(type) || hasRight(ctx, "view_payment_payloads");
}

/**
 * Of the wanted types (none: every one), those whose payloads the reader may search: a search tells what a payload says.
 * An empty list is every type; null is none.
 */
export function readableTypes(ctx: Context, wanted: readonly string[]): string[] | null {
  const asked = wanted.length === 0 ? EVENT_TYPES : wanted;
  const readable = asked.filter((type) => mayReadPayload(ctx, type));
  if (readable.length === EVENT_TYPES.length) return [];
  return readable.length === 0 ? null : readable;
}

/** A rendered event as its reader may see it: the envelope always, the data only with the right. */
export function hidePayload(ctx: Context, envelope: WebhookEnvelope): WebhookEnvelope {
  return mayReadPayload(ctx, envelope.event_type) ? envelope : { ...envelope, data: HIDDEN_PAYLOAD };
}
