import "server-only";
import { z } from "zod";
import { EVENT_TYPES, eventVersions, isOptIn } from "@/lib/events/catalog/event-types";
import { WebhookEnvelope } from "@/lib/events/catalog/render-event";
import { WebhookVersion } from "@/lib/events/catalog/webhook-version";
import type { LoggedEvent } from "@/lib/events/store/logged-event";
import { EventPosition } from "@/lib/events/tail/event-position";
import type { StreamFrame } from "@/lib/events/tail/server-sent-event";
import { findOwnLines } from "@/lib/identity/accounts/find-own-lines";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { commaList } from "@/lib/platform/text/comma-list";
import { PhoneNumber } from "@/lib/platform/text/phone-handle";
import { renderFrameFor, renderReplayFrame } from "@/lib/webhooks/stream/render-frame";
import { findReplay, isReplay } from "@/lib/webhooks/stream/replayed-event";

const EventType = z.enum(EVENT_TYPES, {
  error: ({ input }) =>
    `unknown event ${JSON.stringify(input)}: use a name that GET /v3/webhook-events lists`,
});

export const StreamEvents = contract({
  summary: "Stream events",
  description:
    "Streams the events of the account in order, as server-sent events. To resume after a disconnect, reconnect with `after` or with the `Last-Event-ID` header. A Trunkline extension.",
  tag: "Webhooks",
  right: "view_events",
  query: z.object({
    types: commaList(EventType).describe(
      "Only these event types, separated by commas. Without it, all types except those that `GET /v3/webhook-events` marks with `opt_in`.",
    ),
    phone_numbers: commaList(PhoneNumber).describe(
      "Only events of these lines, separated by commas, and events without a line.",
    ),
    after: EventPosition.optional().describe(
      "Number of the last event you received. The header `Last-Event-ID` takes precedence.",
    ),
    version: WebhookVersion.default("2026-02-03").describe(
      "Payload version of the events. Defaults to `2026-02-03`.",
    ),
  }),
  streams: WebhookEnvelope.extend({
    replay: z.uuid().optional().describe("ID of the replay that resent the event. Absent on other events."),
  }).meta({
    id: "StreamedEvent",
    description: "An event of the stream, as webhooks deliver it.",
    examples: [
      {
        api_version: "v3",
        webhook_version: "2026-02-03",
        event_type: "chat.typing_indicator.started",
        event_id: "019ca9c2-9c40-7f86-9a55-70b162930415",
        created_at: "2026-03-01T12:00:09.000Z",
        trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
        partner_id: "019ca9c0-0000-7000-8000-5a1f0c9e2b34",
        data: { chat_id: "019ca9c2-4c02-7c53-ad22-4d8e3f607182", actor_handle: null },
      },
    ],
  }),
  status: 200,
  errors: ["parameter_invalid", "phone_not_e164", "line_not_permitted", "rate_limited"],
  extension: true,
});

/**
 * Streams the account's partner-facing webhook payloads to a program without a public URL (an extension): events as
 * they happen, and again when they are replayed. Errors: line_not_permitted.
 */
export async function streamEvents(ctx: Context, { query }: Pick<Input<typeof StreamEvents>, "query">) {
  const { version } = query;
  const types = new Set<string>(query.types);
  const lines = new Set(await findOwnLines(ctx, query.phone_numbers));

  function isWanted(event: LoggedEvent): boolean {
    if (!eventVersions(event.type).includes(version)) return false;
    if (types.size > 0 ? !types.has(event.type) : isOptIn(event.type)) return false;
    return lines.size === 0 || event.lineId === null || lines.has(event.lineId);
  }

  async function renderReplayed(event: LoggedEvent): Promise<StreamFrame> {
    const replay = await findReplay(event);
    if (replay === null || !isWanted(replay.event)) return null;
    return renderReplayFrame(ctx, replay, version);
  }

  return {
    after: query.after ?? null,
    tell(event: LoggedEvent): StreamFrame | Promise<StreamFrame> {
      if (isReplay(event)) return renderReplayed(event);
      return event.internal || !isWanted(event) ? null : renderFrameFor(ctx, event, version);
    },
  };
}
