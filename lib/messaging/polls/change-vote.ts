import "server-only";
import { emitEvents } from "@/lib/events/store/emit-event";
import type { LockedMessage } from "@/lib/messaging/messages/locked-message";
import { type PollChange, voteEvent } from "@/lib/messaging/polls/poll-event";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

interface Vote {
  change: PollChange;
  optionId: string;
  isRemoved: boolean;
}

const GIVE_VOTE = statement(
  "give-vote",
  `insert into poll_votes (account_id, message_id, option_id, participant_id, voted_at)
  values (:accountId, :messageId, :optionId, :participantId, :votedAt) on conflict do nothing returning option_id`,
);

const TAKE_VOTE_BACK = statement(
  "take-vote-back",
  `delete from poll_votes
  where account_id = :accountId and message_id = :messageId and option_id = :optionId
    and participant_id = :participantId
  returning option_id`,
);

const TOUCH_POLL = statement(
  "touch-poll",
  "update polls set updated_at = :changeAt where account_id = :accountId and message_id = :messageId",
);

/** Adds or removes a participant's vote for an option, with its event. Returns false when nothing changed. */
export async function changeVote(
  tx: Sql,
  message: LockedMessage,
  { change, optionId, isRemoved }: Vote,
): Promise<boolean> {
  const vote = {
    accountId: message.account_id,
    messageId: message.id,
    optionId,
    participantId: change.who.id,
  };
  const rows = await (isRemoved
    ? tx.run(TAKE_VOTE_BACK, vote)
    : tx.run(GIVE_VOTE, { ...vote, votedAt: change.at }));
  if (rows.length === 0) return false;

  await tx.run(TOUCH_POLL, { accountId: message.account_id, messageId: message.id, changeAt: change.at });
  const type = isRemoved ? "poll.vote.removed" : "poll.vote.added";
  await emitEvents(tx, [voteEvent(message, type, change, optionId)]);
  return true;
}
