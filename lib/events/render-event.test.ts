import type { WebhookEventType } from "@linqapp/sdk/resources/webhook-events";
import type {
  ChatCreatedWebhookEvent,
  MessageEventV2,
  MessageFailedWebhookEvent,
  MessagePayload,
} from "@linqapp/sdk/resources/webhooks";
import { beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import type { z } from "zod";
import { EVENT_TYPES, EVENTS, type EventType, eventKind } from "@/lib/events/catalog";
import type { CreatedChat } from "@/lib/events/chat-payload";
import { FlatMessage } from "@/lib/events/flat-message";
import type { FailedMessage } from "@/lib/events/message-payload";
import { NestedMessage } from "@/lib/events/nested-message";
import { envelopeSchema, exampleEvent, renderEvent } from "@/lib/events/render-event";
import { WEBHOOK_VERSIONS } from "@/lib/events/webhook-version";

beforeAll(() => {
  process.env.DATABASE_URL ??= "postgresql://unused/unused";
  process.env.ENCRYPTION_KEY ??= "unused";
});

const caused = EVENT_TYPES.filter((type) => EVENTS[type].payload !== null);
const [old, current] = WEBHOOK_VERSIONS;

// The client does not know that a deleted file has neither id nor url (contract.md 0).
type WithFile<Part> = Part extends { type: "media" } ? { [Key in keyof Part]: NonNullable<Part[Key]> } : Part;
type WithFiles<Shown extends { parts: unknown[] }> = Omit<Shown, "parts"> & {
  parts: WithFile<Shown["parts"][number]>[];
};

test("payloads fit the official client's declarations, and the catalog has all its events", () => {
  expectTypeOf<WithFiles<z.output<typeof FlatMessage>>>().toExtend<MessageEventV2>();
  expectTypeOf<z.output<typeof FailedMessage>>().toExtend<MessageFailedWebhookEvent.Data>();
  expectTypeOf<z.output<typeof CreatedChat>>().toExtend<ChatCreatedWebhookEvent.Data>();
  // There, effect and reply_to are optional where the contract makes them null.
  type Nested = Omit<WithFiles<z.output<typeof NestedMessage>["message"]>, "effect" | "reply_to">;
  expectTypeOf<Nested>().toExtend<Omit<MessagePayload, "effect" | "reply_to">>();
  expectTypeOf<WebhookEventType>().toExtend<EventType>();
  expect(EVENT_TYPES.length).toBe(77);
});

describe.each(caused)("%s", (type) => {
  test.each(WEBHOOK_VERSIONS)("has an example in version %s that is what its schema says", (version) => {
    const payload = eventKind(type)?.payload;
    if (payload == null) throw new Error("no payload");
    const example = exampleEvent(type, version);
    expect(envelopeSchema(type, payload, version).parse(example)).toEqual(example);
    expect(Object.keys(example ?? {})).toEqual([
      "api_version",
      "webhook_version",
      "event_type",
      "event_id",
      "created_at",
      "trace_id",
      "partner_id",
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

test("version 2025-01-01: the own line is the recipient inbound, and nobody outbound", () => {
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
  expect(exampleEvent("message.sent", old)?.data).not.toHaveProperty("message_id");
});

test("events whose versions do not differ are the same in both", () => {
  for (const type of ["message.failed", "chat.created"] as const) {
    expect(exampleEvent(type, old)?.data).toEqual(exampleEvent(type, current)?.data);
  }
});

test("an event without a payload, and facts that are not its own, are refused", () => {
  const event = {
    id: "019ca9c2-9c40-7f86-9a55-70b162930415",
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    createdAt: new Date(),
    data: {},
  };
  expect(() => renderEvent({ ...event, type: "message.accepted" }, event.id, current)).toThrow("no payload");
  expect(() => renderEvent({ ...event, type: "message.sent" }, event.id, current)).toThrow();
});
