import "server-only";
import { z } from "zod";
import { type NewEvent, newEvent } from "@/lib/events/store/emit-event";
import { findAccountOptions } from "@/lib/identity/accounts/find-account-options";
import { OPTIONS_OF_POLL, OptionRow, toPoll } from "@/lib/messaging/polls/poll";
import { POLL_EVENTS } from "@/lib/messaging/polls/poll-events";
import { type OptionIn, storePoll } from "@/lib/messaging/polls/store-poll";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import type { ServiceType } from "@/lib/platform/prisma/enums";
import type { ChatHandle } from "@/lib/recipients/handles/chat-handle";

/** A stored inbound message that is a poll. */
interface ReceivedPoll {
  accountId: string;
  lineId: string;
  chatId: string;
  messageId: string;
  traceId: string;
  isGroup: boolean;
  service: ServiceType;
  /** The participants of the line and the sender. */
  me: ChatHandle;
  from: ChatHandle;
  at: Date;
}

const RECEIVED_POLL_OPTIONS = statement(
  "received-poll-options",
  `select ${OPTIONS_OF_POLL} as options from messages m where m.account_id = :accountId and m.id = :messageId`,
);

/** Makes a stored inbound message a poll. Returns its poll.received event, which replaces message.received. */
export async function receivePoll(
  tx: Sql,
  received: ReceivedPoll,
  options: readonly OptionIn[],
): Promise<NewEvent> {
  const { accountId, lineId, chatId, messageId, traceId, me, from, at } = received;
  const where = { accountId, messageId, participantId: from.id, at };
  await storePoll(tx, where, { options, idempotencyKey: null });
  const [row] = await tx.run(RECEIVED_POLL_OPTIONS, { accountId, messageId });
  const { retention_minutes } = await findAccountOptions(accountId);
  const handles = new Map([me, from].map((handle) => [handle.id, handle]));
  const data = {
    message_id: messageId,
    chat: { id: chatId, is_group: received.isGroup, owner_handle: me },
    direction: "inbound" as const,
    service: received.service,
    poll: toPoll(z.array(OptionRow).parse(row?.options ?? []), handles),
    ...(retention_minutes === null ? {} : { zero_retention: true as const }),
    sender_handle: from,
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
    received_at: at.toISOString(),
  };
  const about = { accountId, lineId, chatId, messageId, traceId, at };
  return newEvent(POLL_EVENTS["poll.received"], about, data);
}
