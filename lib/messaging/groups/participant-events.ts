import "server-only";
import { z } from "zod";
import { defineEvents } from "@/lib/events/catalog/define-events";
import { EventTime } from "@/lib/events/catalog/event-time";
import { EXAMPLE_CHAT_ID, EXAMPLE_TIME } from "@/lib/events/catalog/example-data";
import { payload } from "@/lib/events/catalog/payload";
import { ChatHandle } from "@/lib/recipients/handles/chat-handle";
import { EXAMPLE_CONTACT } from "@/lib/recipients/handles/example-handles";

const memberShape = {
  chat_id: z.uuid().describe("ID of the chat."),
  participant: ChatHandle.describe("The participant."),
};

/** Deprecated: `participant`. */
const deprecated = { handle: z.string().describe("Deprecated. Use `participant`.") };

const AddedData = z.object({
  ...memberShape,
  added_at: EventTime.describe("When the participant was added."),
});
const RemovedData = z.object({
  ...memberShape,
  removed_at: EventTime.describe("When the participant left or was removed."),
});

/** `data` of participant.added (docs/contract.md, section 12.5). */
const participantAddedPayload = payload(
  AddedData,
  {
    schema: AddedData.extend(deprecated).meta({ id: "ParticipantAddedEvent" }),
    render: (data) => ({ ...data, handle: data.participant.handle }),
  },
  { chat_id: EXAMPLE_CHAT_ID, participant: EXAMPLE_CONTACT, added_at: EXAMPLE_TIME },
);

/**
 * `data` of participant.removed: a participant, or the line itself, left or was removed
 * (docs/contract.md, section 12.5).
 */
const participantRemovedPayload = payload(
  RemovedData,
  {
    schema: RemovedData.extend(deprecated).meta({ id: "ParticipantRemovedEvent" }),
    render: (data) => ({ ...data, handle: data.participant.handle }),
  },
  {
    chat_id: EXAMPLE_CHAT_ID,
    participant: { ...EXAMPLE_CONTACT, status: "left", left_at: EXAMPLE_TIME },
    removed_at: EXAMPLE_TIME,
  },
);

export const PARTICIPANT_EVENTS = defineEvents({
  "participant.added": participantAddedPayload,
  "participant.removed": participantRemovedPayload,
});
