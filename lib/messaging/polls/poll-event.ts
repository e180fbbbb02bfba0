import "server-only";
import { z } from "zod";
import { type EventOrigin, type NewEvent, newEvent } from "@/lib/events/store/emit-event";
import { eventIds } from "@/lib/messaging/edits/edit-text";
import { type LockedMessage, serviceOf } from "@/lib/messaging/messages/locked-message";
import { OPTIONS_OF_POLL, OptionRow, type PollOption } from "@/lib/messaging/polls/poll";
import { POLL_EVENTS } from "@/lib/messaging/polls/poll-events";
import { withoutTexts } from "@/lib/messaging/polls/without-texts";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import type { ChatHandle } from "@/lib/recipients/handles/chat-handle";

/** A participant's change of a poll. */
export interface PollChange {
  who: ChatHandle;
  traceId: string;
  at: Date;
}

/** Builds the event for options that were added to a poll. */
export function optionsAddedEvent(
  message: LockedMessage,
  change: PollChange,
  added_options: PollOption[],
): NewEvent {
  const privacy = { isZeroRetention: message.zero_retention, isOutbound: change.who.is_me === true };
  const data = { ...whereOf(message, change), ...withoutTexts({ added_options }, privacy) };
  return newEvent(POLL_EVENTS["poll.updated"], originOf(message, change), data);
}

/** Builds the event for a vote that was added or removed. */
export function voteEvent(
  message: LockedMessage,
  type: "poll.vote.added" | "poll.vote.removed",
  change: PollChange,
  option_id: string,
): NewEvent {
  const data = {
    ...whereOf(message, change),
    option_id,
    ...(message.zero_retention && { zero_retention: true as const }),
  };
  return newEvent(POLL_EVENTS[type], originOf(message, change), data);
}

/** A change has the direction of the participant who made it. */
function whereOf(message: LockedMessage, { who }: PollChange) {
  return {
    message_id: message.id,
    chat: { id: message.chat_id, is_group: message.is_group, owner_handle: message.me },
    direction: who.is_me === true ? ("outbound" as const) : ("inbound" as const),
    service: serviceOf(message) ?? message.line_type,
    sender_handle: who,
  };
}

function originOf(message: LockedMessage, { traceId, at }: PollChange): EventOrigin {
  return { ...eventIds(message), traceId, at };
}

const FIND_POLL_OPTIONS = statement(
  "find-poll-options",
  `select ${OPTIONS_OF_POLL} as options from messages m where m.account_id = :accountId and m.id = :messageId`,
);

/** The options of a poll with their votes. */
export async function findOptions(tx: Sql, message: LockedMessage): Promise<OptionRow[]> {
  const [row] = await tx.run(FIND_POLL_OPTIONS, { accountId: message.account_id, messageId: message.id });
  return z.array(OptionRow).parse(row?.options ?? []);
}
