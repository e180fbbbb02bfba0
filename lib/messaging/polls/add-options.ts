import "server-only";
import { emitEvents } from "@/lib/events/store/emit-event";
import type { LockedMessage } from "@/lib/messaging/messages/locked-message";
import { type OptionRow, toPollOption } from "@/lib/messaging/polls/poll";
import { findOptions, optionsAddedEvent, type PollChange } from "@/lib/messaging/polls/poll-event";
import { type OptionIn, storeOptions } from "@/lib/messaging/polls/store-poll";
import type { Sql } from "@/lib/platform/database/db";

/** Adds options to a poll with their event. Returns the new options. */
export async function addOptions(
  tx: Sql,
  message: LockedMessage,
  { change, options }: { change: PollChange; options: readonly OptionIn[] },
): Promise<OptionRow[]> {
  const where = {
    accountId: message.account_id,
    messageId: message.id,
    participantId: change.who.id,
    at: change.at,
  };
  const ids = new Set(await storeOptions(tx, where, options));
  if (ids.size === 0) return [];

  const added = (await findOptions(tx, message)).filter(({ id }) => ids.has(id));
  const added_options = added.map((row) => toPollOption(row, message.handles));
  await emitEvents(tx, [optionsAddedEvent(message, change, added_options)]);
  return added;
}
