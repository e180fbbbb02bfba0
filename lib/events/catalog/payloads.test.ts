import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EVENT_CATALOG } from "@/lib/docs/reference/event-catalog";
import { EVENT_TYPES, type EventType, eventVersions } from "@/lib/events/catalog/event-types";
import { envelopeSchema, exampleEvent, renderEvent } from "@/lib/events/catalog/render-event";
import { registerDependencies } from "@/lib/runtime/wiring/register-dependencies";
import { arbitraryOf } from "@/lib/testing/samples/arbitrary-of";

registerDependencies();

const EVENT = {
  id: "019ca9c2-9c40-7f86-9a55-70b162930415",
  traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
  createdAt: new Date("2026-03-01T12:00:09.000Z"),
};

function dataOf(type: EventType): unknown {
  return exampleEvent(type, "2026-02-03")?.data;
}

describe("whatever facts were stored, what is posted is what the schema says, and nothing more", () => {
  test.each(EVENT_TYPES)("%s", (type) => {
    const { data: stored } = EVENT_CATALOG[type];
    fc.assert(
      fc.property(arbitraryOf(stored), (data) => {
        fc.pre(stored.safeParse(data).success);
        for (const version of eventVersions(type)) {
          const posted = JSON.parse(JSON.stringify(renderEvent({ ...EVENT, type, data }, EVENT.id, version)));
          expect(envelopeSchema(type, [version]).parse(posted)).toEqual(posted);
        }
      }),
      { numRuns: 40 },
    );
  });
});

test("no facts hold the address of a file", () => {
  const stored = JSON.stringify(EVENT_TYPES.map((type) => EVENT_CATALOG[type].payload.example));
  expect(stored).not.toContain("/attachments/");
  expect(stored).toContain('"attachment_id"');
});

test("files are shown by their address of the moment", () => {
  const url = expect.stringMatching(
    /^http:\/\/trunkline\.test\/attachments\/partners\/[0-9a-f-]{36}\/[0-9a-f-]{36}\/image\.png$/,
  );
  const card = expect.stringMatching(/\/[0-9a-f-]{36}\/ada\.vcf$/);
  expect(dataOf("contact_card.received")).toMatchObject({ last_name: "", media_url: card });
  expect(dataOf("chat.group_icon_updated")).toMatchObject({ old_value: null, new_value: url });
  expect(dataOf("poll.reaction.added")).toMatchObject({ sticker: { file_name: "image.png", url } });
  expect(dataOf("contact_card.created")).toMatchObject({ contact_card: { image_url: url } });
});

test("a file's name cannot leave its place in the address", () => {
  const image = { ...imageOf("contact_card.received"), filename: "../../x?y#z.png" };
  const data = { ...example("contact_card.received"), image };
  const { data: shown } = renderEvent(
    { ...EVENT, type: "contact_card.received", data },
    EVENT.id,
    "2026-02-03",
  );
  expect(shown).toMatchObject({
    media_url: expect.stringMatching(/\/\.\.%2F\.\.%2Fx%3Fy%23z\.png$/),
  });
});

test.each<[EventType, object]>([
  ["reaction.added", { from: "+12025550123", from_handle: { handle: "+12025550123" } }],
  ["participant.added", { handle: "+12025550123", participant: { handle: "+12025550123" } }],
  ["participant.removed", { handle: "+12025550123", participant: { status: "left" } }],
  [
    "phone_number.status_updated",
    { new_reputation: "CRITICAL", new_health_status: "CRITICAL", previous_health_status: "HEALTHY" },
  ],
])("%s repeats what deprecated fields said", (type, shown) => {
  expect(dataOf(type)).toMatchObject(shown);
});

test("a background that was removed is absent", () => {
  const { background: _, ...removed } = example("chat.background_updated");
  const event = { ...EVENT, type: "chat.background_updated", data: removed };
  expect(renderEvent(event, EVENT.id, "2025-01-01").data).not.toHaveProperty("background");
});

test("an edit shows the chat with its health, and the part as it is now", () => {
  expect(dataOf("message.edited")).toMatchObject({
    direction: "inbound",
    chat: { owner_handle: { is_me: true }, health_status: { status: "HEALTHY" } },
    sender_handle: { is_me: false },
    part: { index: 0, text: "On my way, five minutes late!" },
  });
});

test("a changed contact card shows its new face and only what changed", () => {
  const data = {
    ...example("contact_card.updated"),
    change: { image: { from: null, to: imageOf("contact_card.received") } },
  };
  const { data: shown } = renderEvent(
    { ...EVENT, type: "contact_card.updated", data },
    EVENT.id,
    "2026-02-03",
  );
  expect(shown).toMatchObject({
    change: { image_url: { from: null, to: expect.stringContaining("ada.vcf") } },
  });
  expect(shown).not.toHaveProperty("change.first_name");
  expect(shown).not.toHaveProperty("change.image");
});

describe("summaries say what happened and who did it", () => {
  test.each<[EventType, string]>([
    ["api_token.created", "The API token “Orders service” was created by Ada Lovelace."],
    ["api_token.renamed", "The API token “Orders” was renamed by Ada Lovelace."],
    ["api_token.expired", "The API token “Orders service” expired."],
    [
      "webhook_subscription.deleted",
      "The webhook subscription to https://hooks.example.com/trunkline was deleted by Ada Lovelace.",
    ],
    ["environment.line_moved", "The line +12025550100 was moved to “Production” by Ada Lovelace."],
    [
      "phone_number.forwarding_updated",
      "Forwarding of +12025550100 was set to +12025550199 by Ada Lovelace.",
    ],
    ["zero_day_retention.updated", "Zero-day retention was turned on by Ada Lovelace."],
    ["team_member.added", "Ada Lovelace was added to the team by Ada Lovelace."],
    ["team_member.signed_in", "Ada Lovelace signed in."],
  ])("%s", (type, summary) => {
    expect(dataOf(type)).toMatchObject({ summary });
  });
});

function example(type: EventType): Record<string, unknown> {
  return { ...Object(EVENT_CATALOG[type].payload.example) };
}

function imageOf(type: EventType): object {
  return Object(example(type).image);
}
