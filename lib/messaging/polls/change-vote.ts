import "server-only";
import { emitEvents } from "@/lib/events/store/emit-event";
import type { LockedMessage } from "@/lib/messaging/messages/locked-message";
import { type PollChange, voteEvent } from "@/lib/messaging/polls/poll-event";
import type { Sql } from "@/lib/platform/database/db";

interface Vote {
  change: PollChange;
  optionId: string;
  isRemoved: boolean;
}

const GIVE = `insert into poll_votes (account_id, message_id, option_id, participant_id, voted_at)
  values ($1, $2, $3, $4, $5) on conflict do nothing returning option_id`;
const TAKE_BACK = `delete from poll_votes
  where account_id = $1 and message_id = $2 and option_id = $3 and participant_id = $4
    and $5::timestamptz is not null returning option_id`;

/** Adds or removes a participant's vote for an option, with its event. Returns false when nothing changed. */
export async function changeVote(
  tx: Sql,
  message: LockedMessage,
  { change, optionId, isRemoved }: Vote,
): Promise<boolean> {
  const rows = await tx.query<{ option_id: string }>({
    name: isRemoved ? "take-vote-back" : "give-vote",
    text: isRemoved ? TAKE_BACK : GIVE,
    values: [message.account_id, message.id, optionId, change.who.id, change.at],
  });
  if (rows.length === 0) return false;

  await tx.query({
    name: "touch-poll",
    text: "update polls set updated_at = $3 where account_id = $1 and message_id = $2",
    values: [message.account_id, message.id, change.at],
  });
  const type = isRemoved ? "poll.vote.removed" : "poll.vote.added";
  await emitEvents(tx, [voteEvent(message, type, change, optionId)]);
  return true;
}
