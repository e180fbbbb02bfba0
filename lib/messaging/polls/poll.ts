import "server-only";
import { z } from "zod";
import { EventTime } from "@/lib/events/catalog/event-time";
import { MAX_OPTION_LENGTH, MAX_OPTIONS, MIN_OPTIONS } from "@/lib/messaging/polls/poll-limits";
import { Reaction } from "@/lib/messaging/reactions/reaction";
import { maxUnits } from "@/lib/platform/text/max-units";
import { ChatHandle } from "@/lib/recipients/handles/chat-handle";

/** A new option of a poll. */
export const NewOption = z.object({
  text: z
    .string()
    .trim()
    .min(1)
    .check(maxUnits(MAX_OPTION_LENGTH))
    .describe("Text of the option, 1 to 100 characters."),
});

/** The options of a new poll: at least 2, or field_missing (docs/contract.md, section 8.3). */
export const NewOptions = z
  .array(NewOption)
  .max(MAX_OPTIONS)
  .refine((options) => options.length >= MIN_OPTIONS, {
    error: `a poll must have at least ${MIN_OPTIONS} options`,
    params: { error: "field_missing" },
  });

export const PollOption = z
  .object({
    option_id: z.uuid().describe("ID of the option."),
    text: z.string().describe("Text of the option."),
    can_be_edited: z.literal(false).describe("Always `false`: options cannot be changed."),
    creator_handle: ChatHandle.nullable().describe("Participant who added the option; `null` when unknown."),
    voters: z
      .array(
        z.object({
          handle: z.string().describe("Phone number or email address of the voter."),
          voted_at: EventTime.describe("When the vote was cast."),
        }),
      )
      .describe("Votes for the option."),
  })
  .meta({ id: "PollOption", description: "An option of a poll with its votes." });

export type PollOption = z.output<typeof PollOption>;

const EXAMPLE_POLL = {
  options: [
    {
      option_id: "019ca9c2-4c05-7f86-9e55-81c2d3e4f506",
      text: "Friday at seven",
      can_be_edited: false,
      creator_handle: null,
      voters: [{ handle: "+12025550123", voted_at: "2026-03-01T12:05:00.000Z" }],
    },
    {
      option_id: "019ca9c2-4c06-7a97-8f66-92d3e4f50617",
      text: "Saturday at seven",
      can_be_edited: false,
      creator_handle: null,
      voters: [],
    },
  ],
  total_voters: 1,
};

/** A poll at the time of the response or event (docs/contract.md, section 8.3). */
export const Poll = z
  .object({
    options: z.array(PollOption).describe("Options of the poll in order."),
    total_voters: z.int().min(0).describe("Number of participants who voted."),
  })
  .meta({
    id: "Poll",
    description: "A poll with its options and votes.",
    examples: [EXAMPLE_POLL],
  });

export type Poll = z.output<typeof Poll>;

/** A poll with its message (docs/contract.md, section 8.3). */
export const PollEnvelope = z
  .object({
    message_id: z.uuid().describe("ID of the message that contains the poll."),
    chat_id: z.uuid().describe("ID of the chat of the poll."),
    created_at: z.iso.datetime().describe("When the poll was created."),
    updated_at: z.iso.datetime().describe("When an option or a vote last changed."),
    poll: Poll.describe("The poll."),
    reactions: z.array(Reaction).describe("Stickers placed on the poll."),
  })
  .meta({
    id: "PollEnvelope",
    description: "A poll and the message that contains it.",
    examples: [
      {
        message_id: "019ca9c2-4c03-7d64-bc33-5e9f40718293",
        chat_id: "019ca9c2-4c02-7c53-ad22-4d8e3f607182",
        created_at: "2026-03-01T12:00:00.000Z",
        updated_at: "2026-03-01T12:05:00.000Z",
        poll: EXAMPLE_POLL,
        reactions: [],
      },
    ],
  });

/** A row of a poll's options with their votes, as selected by `OPTIONS_OF_POLL`. */
export const OptionRow = z.object({
  id: z.uuid(),
  ref: z.string(),
  text: z.string(),
  participant_id: z.uuid().nullable(),
  votes: z.array(z.object({ participant_id: z.uuid(), voted_at: z.string() })).nullable(),
});

export type OptionRow = z.infer<typeof OptionRow>;

/** SQL: the options of the poll `m` (messages) with their votes, as JSON; null for other messages. */
export const OPTIONS_OF_POLL = `case when m.kind = 'poll' then (
  select jsonb_agg(jsonb_build_object('id', o.id, 'ref', o.ref, 'text', o.text, 'participant_id', o.participant_id,
    'votes', (
      select jsonb_agg(jsonb_build_object('participant_id', v.participant_id, 'voted_at', v.voted_at)
        order by v.voted_at, v.participant_id)
      from poll_votes v where v.account_id = o.account_id and v.message_id = o.message_id and v.option_id = o.id
    )) order by o.id)
  from poll_options o where o.account_id = m.account_id and o.message_id = m.id) end`;

/** Serializes a poll; `handles` = the participants of the chat by id. */
export function toPoll(rows: readonly OptionRow[], handles: ReadonlyMap<string, ChatHandle>): Poll {
  const voters = new Set(rows.flatMap(({ votes }) => (votes ?? []).map((vote) => vote.participant_id)));
  return { options: rows.map((row) => toPollOption(row, handles)), total_voters: voters.size };
}

export function toPollOption(row: OptionRow, handles: ReadonlyMap<string, ChatHandle>): PollOption {
  const creator = row.participant_id === null ? undefined : handles.get(row.participant_id);
  return {
    option_id: row.id,
    text: row.text,
    can_be_edited: false,
    creator_handle: creator ?? null,
    voters: (row.votes ?? []).flatMap(({ participant_id, voted_at }) => {
      const handle = handles.get(participant_id)?.handle;
      return handle === undefined ? [] : [{ handle, voted_at: new Date(voted_at).toISOString() }];
    }),
  };
}
