import "server-only";
import { z } from "zod";
import { defineEvents } from "@/lib/events/catalog/define-events";
import { EventTime } from "@/lib/events/catalog/event-time";
import { EXAMPLE_MESSAGE_ID, EXAMPLE_TIME } from "@/lib/events/catalog/example-data";
import { plainPayload } from "@/lib/events/catalog/payload";
import { EventChat, EXAMPLE_EVENT_CHAT } from "@/lib/messaging/chats/event-chat";
import { Poll, PollOption } from "@/lib/messaging/polls/poll";
import { ChatHandle, ServiceType } from "@/lib/recipients/handles/chat-handle";
import { EXAMPLE_CONTACT, EXAMPLE_LINE } from "@/lib/recipients/handles/example-handles";

const whereShape = {
  message_id: z.uuid().describe("ID of the message that contains the poll."),
  chat: EventChat.describe("The chat of the poll."),
  direction: z
    .enum(["inbound", "outbound"])
    .describe("`inbound` if the poll was received, `outbound` if it was sent."),
  service: ServiceType.describe("Service of the poll."),
  zero_retention: z
    .literal(true)
    .optional()
    .describe(
      "Present and `true` for accounts with zero-day retention. The texts of outbound polls are then empty.",
    ),
};

const PollMoment = z.object({
  ...whereShape,
  poll: Poll.describe("The poll at the time of the event."),
  sender_handle: ChatHandle.describe("Participant who sent the poll."),
  created_at: EventTime.describe("When the poll was created."),
  updated_at: EventTime.describe("When the poll last changed."),
});

const OPTION: z.input<typeof PollOption> = {
  option_id: "019ca9c2-4c05-7f86-9e55-81c2d3e4f506",
  text: "Friday at seven",
  can_be_edited: false,
  creator_handle: EXAMPLE_LINE,
  voters: [],
};

const WHERE = {
  message_id: EXAMPLE_MESSAGE_ID,
  chat: EXAMPLE_EVENT_CHAT,
  direction: "outbound",
  service: "iMessage",
} as const;

const LATER = { ...OPTION, option_id: "019ca9c2-4c06-7a97-8f66-92d3e4f50617", text: "Saturday at eight" };
const POLL = { options: [OPTION, LATER], total_voters: 0 };

const MOMENT = {
  ...WHERE,
  poll: POLL,
  sender_handle: EXAMPLE_LINE,
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
};

/** `data` of poll.received (docs/contract.md, section 12.5). */
const pollReceivedPayload = plainPayload(
  PollMoment.extend({ received_at: EventTime.describe("When the poll was received.") }).meta({
    id: "PollReceivedEvent",
  }),
  { ...MOMENT, direction: "inbound", sender_handle: EXAMPLE_CONTACT, received_at: EXAMPLE_TIME },
);

/** `data` of poll.sent (docs/contract.md, section 12.5). */
const pollSentPayload = plainPayload(
  PollMoment.extend({ sent_at: EventTime.describe("When the messaging service accepted the poll.") }).meta({
    id: "PollSentEvent",
  }),
  { ...MOMENT, sent_at: EXAMPLE_TIME },
);

/** `data` of poll.delivered (docs/contract.md, section 12.5). */
const pollDeliveredPayload = plainPayload(
  PollMoment.extend({ delivered_at: EventTime.describe("When the poll was delivered.") }).meta({
    id: "PollDeliveredEvent",
  }),
  { ...MOMENT, delivered_at: EXAMPLE_TIME },
);

/** `data` of poll.read (docs/contract.md, section 12.5). */
const pollReadPayload = plainPayload(
  PollMoment.extend({ read_at: EventTime.describe("When the poll was read.") }).meta({ id: "PollReadEvent" }),
  { ...MOMENT, read_at: EXAMPLE_TIME },
);

/** `data` of poll.failed (docs/contract.md, section 12.5). */
const pollFailedPayload = plainPayload(
  z
    .object({
      ...whereShape,
      poll: Poll.describe("The poll that failed."),
      sender_handle: z.null().describe("Always `null`."),
      error: z
        .object({
          code: z.int().describe("Error code of the failure."),
          message: z.string().describe("Reason that the poll failed."),
        })
        .describe("The failure."),
      failed_at: EventTime.describe("When the poll failed."),
    })
    .meta({ id: "PollFailedEvent" }),
  {
    ...WHERE,
    poll: POLL,
    sender_handle: null,
    error: { code: 4005, message: "Recipient does not support this message type" },
    failed_at: EXAMPLE_TIME,
  },
);

/** `data` of poll.updated (docs/contract.md, section 12.5). */
const pollUpdatedPayload = plainPayload(
  z
    .object({
      ...whereShape,
      sender_handle: ChatHandle.describe("Participant who added the options."),
      added_options: z.array(PollOption).describe("Options that were added."),
    })
    .meta({ id: "PollUpdatedEvent" }),
  {
    ...WHERE,
    sender_handle: EXAMPLE_CONTACT,
    added_options: [{ ...LATER, creator_handle: EXAMPLE_CONTACT }],
  },
);

/** `data` of poll.vote.added and poll.vote.removed: one option of one voter (docs/contract.md, section 12.5). */
const pollVotePayload = plainPayload(
  z
    .object({
      ...whereShape,
      sender_handle: ChatHandle.describe("Participant who voted."),
      option_id: z.uuid().describe("ID of the option."),
    })
    .meta({ id: "PollVoteEvent" }),
  { ...WHERE, sender_handle: EXAMPLE_CONTACT, option_id: OPTION.option_id },
);

export const POLL_EVENTS = defineEvents({
  "poll.received": pollReceivedPayload,
  "poll.sent": pollSentPayload,
  "poll.delivered": pollDeliveredPayload,
  "poll.read": pollReadPayload,
  "poll.failed": pollFailedPayload,
  "poll.updated": pollUpdatedPayload,
  "poll.vote.added": pollVotePayload,
  "poll.vote.removed": pollVotePayload,
});
