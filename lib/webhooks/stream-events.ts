import "server-only";
import { z } from "zod";
import { EVENT_TYPES, eventVersions } from "@/lib/events/catalog";
import { EventPosition } from "@/lib/events/event-position";
import type { LoggedEvent } from "@/lib/events/logged-event";
import { WebhookEnvelope } from "@/lib/events/render-event";
import type { Telling } from "@/lib/events/server-sent-event";
import { WebhookVersion } from "@/lib/events/webhook-version";
import { findOwnLines } from "@/lib/identity/accounts/find-own-lines";
import { commaList } from "@/lib/platform/comma-list";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { PhoneNumber } from "@/lib/platform/phone-handle";
import { renderFrame, renderReplayFrame } from "@/lib/webhooks/render-frame";
import { findReplay, isReplay } from "@/lib/webhooks/replayed-event";

const EventType = z.enum(EVENT_TYPES, {
  error: ({ input }) =>
    `unknown event ${JSON.stringify(input)}: use a name that GET /v3/webhook-events lists`,
});

export const StreamEvents = contract({
  summary: "Follow the events of the account",
  tag: "Webhooks",
  right: "view_events",
  query: z.object({
    types: commaList(EventType).describe("Only events of these types, separated by commas"),
    phone_numbers: commaList(PhoneNumber).describe("Only events of these lines and events without a line"),
    after: EventPosition.optional().describe(
      "The last event you received. The Last-Event-ID header takes precedence.",
    ),
    version: WebhookVersion.default("2026-02-03"),
  }),
  streams: WebhookEnvelope.extend({ replay: z.uuid().optional() }).meta({ id: "StreamedEvent" }),
  status: 200,
  errors: ["parameter_invalid", "phone_not_e164", "line_not_permitted", "rate_limited"],
  extension: true,
});

/**
 * What webhooks post, as one stream for a program that has no public address (an extension): partner-facing events of
 * the account as they happen, and again when they are replayed. Errors: line_not_permitted.
 */
export async function streamEvents(ctx: Context, { query }: Pick<Input<typeof StreamEvents>, "query">) {
  const { partnerId } = ctx.account;
  const { version } = query;
  const types = new Set<string>(query.types);
  const lines = new Set(await findOwnLines(ctx, query.phone_numbers));

  function isWanted(event: LoggedEvent): boolean {
    if (!eventVersions(event.type).includes(version)) return false;
    if (types.size > 0 && !types.has(event.type)) return false;
    return lines.size === 0 || event.lineId === null || lines.has(event.lineId);
  }

  async function tellAgain(event: LoggedEvent): Promise<Telling> {
    const replay = await findReplay(event);
    if (replay === null || !isWanted(replay.event)) return null;
    return renderReplayFrame(replay, partnerId, version);
  }

  return {
    after: query.after ?? null,
    tell(event: LoggedEvent): Telling | Promise<Telling> {
      if (isReplay(event)) return tellAgain(event);
      return event.internal || !isWanted(event) ? null : renderFrame(event, partnerId, version);
    },
  };
}
