import type { WebhookEventType } from "@linqapp/sdk/resources/webhook-events";
import type * as sdk from "@linqapp/sdk/resources/webhooks";
import { afterEach, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { EVENT_CATALOG } from "@/lib/docs/reference/event-catalog";
import { EVENT_TYPES, type EventType, eventVersions } from "@/lib/events/catalog/event-types";
import { envelopeSchema, exampleEvent, renderEvent } from "@/lib/events/catalog/render-event";
import { WEBHOOK_VERSIONS } from "@/lib/events/catalog/webhook-version";
import { FlatMessage } from "@/lib/messaging/messages/flat-message";
import { NestedMessage } from "@/lib/messaging/messages/nested-message";
import { setClock } from "@/lib/platform/time/clock";
import { registerDependencies } from "@/lib/runtime/wiring/register-dependencies";

registerDependencies();

afterEach(() => setClock(null));

beforeAll(() => {
  process.env.DATABASE_URL ??= "postgresql://unused/unused";
  process.env.ENCRYPTION_KEY ??= "unused";
});

const [old, current] = WEBHOOK_VERSIONS;

/** The official client's type of `data`, for the events that it declares. */
interface Declared {
  "message.sent": sdk.MessageEventV2;
  "message.received": sdk.MessageEventV2;
  "message.delivered": sdk.MessageEventV2;
  "message.read": sdk.MessageEventV2;
  "message.failed": sdk.MessageFailedWebhookEvent.Data;
  "message.edited": sdk.MessageEditedWebhookEvent.Data;
  "reaction.added": sdk.ReactionEventBase;
  "reaction.removed": sdk.ReactionEventBase;
  "participant.added": sdk.ParticipantAddedWebhookEvent.Data;
  "participant.removed": sdk.ParticipantRemovedWebhookEvent.Data;
  "chat.created": sdk.ChatCreatedWebhookEvent.Data;
  "chat.group_name_updated": sdk.ChatGroupNameUpdatedWebhookEvent.Data;
  "chat.group_icon_updated": sdk.ChatGroupIconUpdatedWebhookEvent.Data;
  "chat.group_name_update_failed": sdk.ChatGroupNameUpdateFailedWebhookEvent.Data;
  "chat.group_icon_update_failed": sdk.ChatGroupIconUpdateFailedWebhookEvent.Data;
  "chat.typing_indicator.started": sdk.ChatTypingIndicatorStartedWebhookEvent.Data;
  "chat.typing_indicator.stopped": sdk.ChatTypingIndicatorStoppedWebhookEvent.Data;
  "phone_number.status_updated": sdk.PhoneNumberStatusUpdatedWebhookEvent.Data;
}

/** `data` as Trunkline posts it in the newest version. */
type Posted<Type extends EventType> = z.output<
  (typeof EVENT_CATALOG)[Type]["payload"]["schemas"]["2026-02-03"]
>;

// The client's types require id and url, which a deleted file lacks, and lack app clips (docs/contract.md, section 6.7).
type WithFile<Part> = Part extends { type: "media" }
  ? { [Key in keyof Part]: NonNullable<Part[Key]> }
  : Exclude<Part, { type: "app_clip" }>;
// They also lack effects of unknown types, which are passed through (docs/contract.md, section 6.6).
type WithFiles<Shown> = Shown extends { parts: (infer Part)[] }
  ? Omit<Shown, "parts" | "effect"> & { parts: WithFile<Part>[] }
  : Shown;

/** The events whose `data` does not match the official client's declaration. */
type Mismatched = {
  [Type in keyof Declared]: WithFiles<Posted<Type>> extends Declared[Type] ? never : Type;
}[keyof Declared];

/** Events of the client that are neither declared above nor known to lack a declaration. */
type Undeclared = Exclude<WebhookEventType, keyof Declared | `call.${string}` | `location.sharing.${string}`>;

test("payloads fit the official client's declarations, and the catalog has all its events", () => {
  expectTypeOf<Mismatched>().toBeNever();
  expectTypeOf<Undeclared>().toBeNever();
  // The client declares effect and reply_to as optional; the contract makes them null.
  type Nested = Omit<WithFiles<z.output<typeof NestedMessage>["message"]>, "effect" | "reply_to">;
  expectTypeOf<Nested>().toExtend<Omit<sdk.MessagePayload, "effect" | "reply_to">>();
  expectTypeOf<WebhookEventType>().toExtend<EventType>();
});

describe.each(EVENT_TYPES)("%s", (type) => {
  test.each(eventVersions(type))("has an example in version %s that is what its schema says", (version) => {
    const example = exampleEvent(type, version);
    expect(envelopeSchema(type, [version]).parse(example)).toEqual(example);
    expect(Object.keys(example ?? {})).toEqual([
      "api_version",
      "webhook_version",
      "event_type",
      "event_id",
      "created_at",
      "trace_id",
      "partner_id",
      "sequence",
      "data",
    ]);
  });
});

describe("each event shows what was known when it happened", () => {
  const sent = "2026-03-01T12:00:01.000Z";
  const delivered = "2026-03-01T12:00:02.000Z";
  const read = "2026-03-01T12:00:09.000Z";

  test.each<[EventType, unknown[]]>([
    ["message.sent", [sent, null, null]],
    ["message.delivered", [sent, delivered, null]],
    ["message.read", [sent, delivered, read]],
    ["message.received", ["2026-03-01T12:00:00.000Z", null, null]],
  ])("%s", (type, times) => {
    const flat = FlatMessage.parse(exampleEvent(type, current)?.data);
    const { message } = NestedMessage.parse(exampleEvent(type, old)?.data);
    for (const shown of [flat, message])
      expect([shown.sent_at, shown.delivered_at, shown.read_at]).toEqual(times);
    expect([message.is_delivered, message.is_read]).toEqual([times[1] !== null, times[2] !== null]);
  });
});

test("the newest version: direction, chat with our line and its health, no reactions on parts, auto preference", () => {
  const data = exampleEvent("message.sent", current)?.data;
  expect(data).toMatchObject({
    direction: "outbound",
    chat: {
      is_group: false,
      owner_handle: { handle: "+12025550100", is_me: true },
      health_status: {
        status: "HEALTHY",
        doc_url: expect.stringMatching(/\/guides\/chats\/chat-health#healthy$/),
      },
    },
    sender_handle: { is_me: true },
    preferred_service: "auto",
    service: "iMessage",
    effect: null,
    reply_to: null,
    idempotency_key: "order-1042-ready",
  });
  expect(JSON.stringify(data)).not.toContain("reactions");
  expect(data).not.toHaveProperty("reconciled_at");
});

test("version 2025-01-01: the account's line is the recipient of inbound messages; outbound ones have none", () => {
  expect(exampleEvent("message.received", old)?.data).toMatchObject({
    from: "+12025550123",
    from_handle: { is_me: false },
    recipient_phone: "+12025550100",
    recipient_handle: { is_me: true },
    is_from_me: false,
    received_at: "2026-03-01T12:00:00.000Z",
  });
  expect(exampleEvent("message.sent", old)?.data).toMatchObject({
    from: "+12025550100",
    recipient_phone: null,
    recipient_handle: null,
    is_from_me: true,
    received_at: null,
  });
});

test("version 2025-01-01: receipts repeat the message's id and their time", () => {
  const { id } = FlatMessage.parse(exampleEvent("message.read", current)?.data);
  expect(exampleEvent("message.delivered", old)?.data).toMatchObject({
    message_id: id,
    delivered_at: "2026-03-01T12:00:02.000Z",
  });
  expect(exampleEvent("message.read", old)?.data).toMatchObject({
    message_id: id,
    read_at: "2026-03-01T12:00:09.000Z",
  });
  for (const version of [old, current]) {
    expect(exampleEvent("message.sent", version)?.data).toMatchObject({ message_id: id });
  }
});

test("only the message, turn and typing events differ between the versions, and only message.edited begins with the newest", () => {
  const differing = EVENT_TYPES.filter(
    (type) =>
      JSON.stringify(exampleEvent(type, old)?.data) !== JSON.stringify(exampleEvent(type, current)?.data),
  );
  expect(differing.sort()).toEqual([
    "chat.turn",
    "chat.typing_indicator.started",
    "chat.typing_indicator.stopped",
    "message.delivered",
    "message.edited",
    "message.read",
    "message.received",
    "message.sent",
  ]);
  expect(EVENT_TYPES.filter((type) => exampleEvent(type, old) === null)).toEqual(["message.edited"]);
});

test("an internal event, one its version does not have, and facts that are not its own, are refused", () => {
  const event = {
    id: "019ca9c2-9c40-7f86-9a55-70b162930415",
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    createdAt: new Date(),
    data: {},
  };
  expect(() => renderEvent({ ...event, type: "message.accepted" }, event.id, current)).toThrow("no payload");
  expect(() => renderEvent({ ...event, type: "message.sent" }, event.id, current)).toThrow();
  const { data } = exampleEvent("message.edited", current) ?? {};
  expect(() => renderEvent({ ...event, type: "message.edited", data }, event.id, old)).toThrow(
    "has no events",
  );
});
