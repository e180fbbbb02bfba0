import "server-only";
import { z } from "zod";
import { eventVersions } from "@/lib/events/catalog/event-types";
import { HIDDEN_PAYLOAD, hidePayload, mayReadPayload } from "@/lib/events/catalog/hide-payload";
import { renderEvent, WebhookEnvelope } from "@/lib/events/catalog/render-event";
import { EventView, toEventView } from "@/lib/events/store/event-view";
import { type LoggedEvent, selectEvent } from "@/lib/events/store/logged-event";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";
import { withoutWalletLinks } from "@/lib/platform/rights/redact-wallet-links";
import { EventDelivery, listEventDeliveries } from "@/lib/webhooks/deliveries/list-event-deliveries";

const Rendered = z.object({ version: z.string(), payload: WebhookEnvelope });

export const GetEventView = contract({
  summary: "Get an event with its payloads and deliveries",
  tag: "Events",
  right: "view_events",
  params: z.object({
    seq: z
      .string()
      .regex(/^\d{1,15}$/, "must be the number of an event")
      .transform(Number),
  }),
  returns: z.object({
    event: EventView,
    /** The webhook payload in each version with this event type, newest version first. */
    payloads: z.array(Rendered),
    /** The stored event data, which payloads are built from and JSON paths search. */
    details: z.unknown(),
    deliveries: z.array(EventDelivery),
  }),
  status: 200,
  errors: ["name_unknown", "parameter_invalid"],
});

/** One event of the account by its number. Errors: name_unknown (also for another account's or an internal event). */
export async function getEventView(ctx: Context, { params }: Pick<Input<typeof GetEventView>, "params">) {
  const event = await selectEvent(sql, ctx.account.id, params.seq);
  if (event === null || event.internal)
    return fail("name_unknown", "the account has no event with this number");

  return {
    event: toEventView(event),
    payloads: renderAll(ctx, event),
    details: mayReadPayload(ctx, event.type) ? withoutWalletLinks(event.data) : HIDDEN_PAYLOAD,
    deliveries: await listEventDeliveries(ctx, event),
  };
}

function renderAll(ctx: Context, event: LoggedEvent) {
  return eventVersions(event.type)
    .toReversed()
    .map((version) => ({
      version,
      payload: hidePayload(ctx, withoutWalletLinks(renderEvent(event, ctx.account.partnerId, version))),
    }));
}
