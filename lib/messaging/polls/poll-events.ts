import "server-only";
import { z } from "zod";
import type { NewEvent } from "@/lib/events/emit-event";
import { eventIds } from "@/lib/messaging/messages/edit-text";
import { type PlacedMessage, serviceOf } from "@/lib/messaging/messages/placed-message";
import { OPTIONS_OF_POLL, OptionRow, type PollOption } from "@/lib/messaging/polls/poll";
import { withoutTexts } from "@/lib/messaging/polls/without-texts";
import type { Sql } from "@/lib/platform/db";
import type { ChatHandle } from "@/lib/recipients/handles/chat-handle";

/** Something somebody did with a poll. */
export interface PollDeed {
  who: ChatHandle;
  traceId: string;
  at: Date;
}

/** The event of a deed; its direction is that of who did it. */
export function pollEvent(
  message: PlacedMessage,
  type: string,
  deed: PollDeed,
  more: { added_options?: PollOption[]; option_id?: string },
): NewEvent {
  const { who, traceId, at } = deed;
  const isOutbound = who.is_me === true;
  const data = {
    message_id: message.id,
    chat: { id: message.chat_id, is_group: message.is_group, owner_handle: message.me },
    direction: isOutbound ? "outbound" : "inbound",
    service: serviceOf(message) ?? message.line_type,
    sender_handle: who,
    ...withoutTexts(more, { isZeroRetention: message.zero_retention, isOutbound }),
  };
  return { ...eventIds(message), type, traceId, data, at };
}

/** The options of a poll with their votes. */
export async function findOptions(tx: Sql, message: PlacedMessage): Promise<OptionRow[]> {
  const [row] = await tx.query<{ options: unknown }>({
    name: "find-poll-options",
    text: `select ${OPTIONS_OF_POLL} as options from messages m where m.account_id = $1 and m.id = $2`,
    values: [message.account_id, message.id],
  });
  return z.array(OptionRow).parse(row?.options ?? []);
}
