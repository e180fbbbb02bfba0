import "server-only";
import { z } from "zod";
import { FactTime } from "@/lib/events/fact-time";
import { OPTION_MOST, OPTIONS_LEAST, OPTIONS_MOST } from "@/lib/messaging/polls/poll-limits";
import { Reaction } from "@/lib/messaging/reactions/reaction";
import { maxUnits } from "@/lib/platform/max-units";
import { ChatHandle } from "@/lib/recipients/handles/chat-handle";

/** What a new option says. */
export const NewOption = z.object({ text: z.string().trim().min(1).check(maxUnits(OPTION_MOST)) });

/** The options of a new poll: at least 2, or field_missing (contract.md 6). */
export const NewOptions = z
  .array(NewOption)
  .max(OPTIONS_MOST)
  .refine((options) => options.length >= OPTIONS_LEAST, {
    error: `a poll must have at least ${OPTIONS_LEAST} options`,
    params: { error: "field_missing" },
  });

export const PollOption = z
  .object({
    option_id: z.uuid(),
    text: z.string(),
    can_be_edited: z.literal(false),
    /** null when it is not known who added it. */
    creator_handle: ChatHandle.nullable(),
    voters: z.array(z.object({ handle: z.string(), voted_at: FactTime })),
  })
  .meta({ id: "PollOption" });

export type PollOption = z.output<typeof PollOption>;

/** A poll as it was at the moment (contract.md 2.10). */
export const Poll = z
  .object({
    options: z.array(PollOption),
    /** Distinct people across all options. */
    total_voters: z.int().min(0),
  })
  .meta({ id: "Poll" });

export type Poll = z.output<typeof Poll>;

/** A poll with the message it is (contract.md 2.10). */
export const PollEnvelope = z
  .object({
    message_id: z.uuid(),
    chat_id: z.uuid(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    poll: Poll,
    /** Of the whole poll: stickers. */
    reactions: z.array(Reaction),
  })
  .meta({ id: "PollEnvelope" });

/** A row of a poll's options with their votes, as `OPTIONS_OF_POLL` gives it. */
export const OptionRow = z.object({
  id: z.uuid(),
  ref: z.string(),
  text: z.string(),
  participant_id: z.uuid().nullable(),
  votes: z.array(z.object({ participant_id: z.uuid(), voted_at: z.string() })).nullable(),
});

export type OptionRow = z.infer<typeof OptionRow>;

/** SQL: the options of the poll that `m` (messages) is, with their votes, as JSON; null for other messages. */
export const OPTIONS_OF_POLL = `case when m.kind = 'poll' then (
  select jsonb_agg(jsonb_build_object('id', o.id, 'ref', o.ref, 'text', o.text, 'participant_id', o.participant_id,
    'votes', (
      select jsonb_agg(jsonb_build_object('participant_id', v.participant_id, 'voted_at', v.voted_at)
        order by v.voted_at, v.participant_id)
      from poll_votes v where v.account_id = o.account_id and v.message_id = o.message_id and v.option_id = o.id
    )) order by o.id)
  from poll_options o where o.account_id = m.account_id and o.message_id = m.id) end`;

/** A poll as it is shown; `handles` = the participants of the chat by their ids. */
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
