import "server-only";
import { z } from "zod";
import { EventTime } from "@/lib/events/catalog/event-time";
import { findParticipantsOfChats } from "@/lib/messaging/chats/find-participants";
import { Message } from "@/lib/messaging/messages/message";
import { OPTIONS_OF_POLL, OptionRow, Poll, toPoll } from "@/lib/messaging/polls/poll";
import {
  REACTIONS_OF_MESSAGE,
  Reaction,
  ReactionRow,
  reactionsOnPart,
} from "@/lib/messaging/reactions/reaction";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { errorDocUrl } from "@/lib/platform/errors/error-doc-url";
import { documentedError } from "@/lib/platform/errors/error-guidance";
import { withoutWalletLinks } from "@/lib/platform/rights/redact-wallet-links";
import type { ChatHandle } from "@/lib/recipients/handles/chat-handle";

/** Why a message failed and what to do about it. */
const Failure = z.object({
  code: z.int(),
  reason: z.string(),
  advice: z.string(),
  doc_url: z.url(),
});

/** The earlier text of a text part that was edited. */
const PastText = z.object({ part_index: z.int(), text: z.string(), edited_at: z.iso.datetime() });

/** A message in the dashboard's timeline, with details for support. */
export const MessageView = Message.extend({
  trace_id: z.string(),
  failure: Failure.nullable(),
  /** A poll has no parts. The only part of a voice memo is its file. */
  kind: z.enum(["content", "poll", "voice_memo"]),
  /** Oldest first. The current text is in the parts. */
  edits: z.array(PastText),
  /** For a poll, with the reactions to the poll itself. */
  poll: Poll.extend({ reactions: z.array(Reaction) }).nullable(),
  /** For a voice memo whose file states its duration. */
  duration_ms: z.int().nullable(),
  /** The indexes of the parts that were sent as stickers. */
  sticker_parts: z.array(z.int()),
  /** The name of the experience that the card was made for. */
  experience: z.string().nullable(),
  /** The message whose card this one updates in place. */
  replaces: z.uuid().nullable(),
});

export type MessageView = z.infer<typeof MessageView>;

type Row = RowOf<"read-message-views">;

const READ_MESSAGE_VIEWS = statement(
  "read-message-views",
  `select m.id, m.trace_id, m.failure_code, m.failure_reason, m.kind,
    case when m.kind = 'voice_memo' then (m.parts->0->>'duration_ms')::int end as duration_ms,
    m.parts->0->'experience'->>'name' as experience, m.parts->0->>'replaces' as replaces,
    array(select (place - 1)::int from jsonb_array_elements(m.parts) with ordinality as p(part, place)
      where part->>'sticker' = 'true' order by place) as sticker_parts, (
      select jsonb_agg(jsonb_build_object('part_index', e.part_index, 'text', e.text, 'edited_at', e.edited_at)
        order by e.id)
      from message_edits e where e.account_id = m.account_id and e.message_id = m.id) as edits,
    ${OPTIONS_OF_POLL} as options, case when m.kind = 'poll' then ${REACTIONS_OF_MESSAGE} end as reactions
  from messages m where m.account_id = :accountId and m.id = any(:messageIds::uuid[])`,
);

/** Adds the details that only the dashboard shows to messages. Takes at most two statements. */
export async function toMessageViews(ctx: Context, messages: readonly Message[]): Promise<MessageView[]> {
  const rows = await sql.run(READ_MESSAGE_VIEWS, {
    accountId: ctx.account.id,
    messageIds: messages.map((message) => message.id),
  });
  const details = new Map(rows.map((row) => [row.id, row]));
  const handles = await findVoters(ctx, messages, rows);
  // A wallet link sent as text is part of the message. The dashboard shows such links elsewhere, only to authorized
  // users.
  return messages.flatMap((message) => {
    const row = details.get(message.id);
    return row === undefined ? [] : [withoutWalletLinks(toMessageView(message, row, handles))];
  });
}

async function findVoters(ctx: Context, messages: readonly Message[], rows: readonly Row[]) {
  const polls = new Set(rows.filter(({ kind }) => kind === "poll").map(({ id }) => id));
  const chatIds = new Set(messages.filter(({ id }) => polls.has(id)).map(({ chat_id }) => chat_id));
  if (chatIds.size === 0) return new Map<string, ChatHandle>();
  return findParticipantsOfChats(ctx.account.id, [...chatIds]);
}

function toMessageView(message: Message, row: Row, handles: ReadonlyMap<string, ChatHandle>): MessageView {
  return {
    ...message,
    trace_id: row.trace_id,
    failure: message.delivery_status === "failed" ? toFailure(row) : null,
    kind: row.kind,
    edits: z.array(StoredPast).parse(row.edits ?? []),
    poll: row.kind === "poll" ? toTimelinePoll(row, handles) : null,
    duration_ms: row.duration_ms,
    sticker_parts: row.sticker_parts,
    experience: row.experience,
    replaces: row.replaces,
  };
}

const StoredPast = PastText.extend({ edited_at: EventTime });

function toTimelinePoll({ options, reactions }: Row, handles: ReadonlyMap<string, ChatHandle>) {
  return {
    ...toPoll(z.array(OptionRow).parse(options ?? []), handles),
    reactions: reactionsOnPart(z.array(ReactionRow).parse(reactions ?? []), 0, handles),
  };
}

function toFailure({ failure_code, failure_reason }: Row): z.infer<typeof Failure> | null {
  const documented = documentedError(failure_code ?? 0);
  if (failure_code === null || documented === undefined) return null;
  return {
    code: failure_code,
    reason: failure_reason ?? documented.title,
    advice: documented.fix,
    doc_url: errorDocUrl(failure_code),
  };
}
