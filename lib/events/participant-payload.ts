import "server-only";
import { z } from "zod";
import { EXAMPLE_CHAT_ID, EXAMPLE_CONTACT, EXAMPLE_TIME } from "@/lib/events/example-facts";
import { FactTime } from "@/lib/events/fact-time";
import { payload } from "@/lib/events/payload";
import { ChatHandle } from "@/lib/recipients/handles/chat-handle";

const memberShape = {
  chat_id: z.uuid().describe("ID of the chat."),
  participant: ChatHandle.describe("The participant."),
};

/** Deprecated: `participant`. */
const deprecated = { handle: z.string().describe("Deprecated. Use `participant`.") };

const AddedFacts = z.object({
  ...memberShape,
  added_at: FactTime.describe("When the participant was added."),
});
const RemovedFacts = z.object({
  ...memberShape,
  removed_at: FactTime.describe("When the participant left or was removed."),
});

/** `data` of participant.added (contract.md 4.3). */
export const participantAddedPayload = payload(
  AddedFacts,
  {
    schema: AddedFacts.extend(deprecated).meta({ id: "ParticipantAddedEvent" }),
    render: (facts) => ({ ...facts, handle: facts.participant.handle }),
  },
  { chat_id: EXAMPLE_CHAT_ID, participant: EXAMPLE_CONTACT, added_at: EXAMPLE_TIME },
);

/** `data` of participant.removed: left or was removed, our own line too (contract.md 4.3). */
export const participantRemovedPayload = payload(
  RemovedFacts,
  {
    schema: RemovedFacts.extend(deprecated).meta({ id: "ParticipantRemovedEvent" }),
    render: (facts) => ({ ...facts, handle: facts.participant.handle }),
  },
  {
    chat_id: EXAMPLE_CHAT_ID,
    participant: { ...EXAMPLE_CONTACT, status: "left", left_at: EXAMPLE_TIME },
    removed_at: EXAMPLE_TIME,
  },
);
