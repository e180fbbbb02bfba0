import "server-only";
import type { Poll, PollOption } from "@/lib/messaging/polls/poll";

/** What the events of a poll show of its options. */
interface Shown {
  poll?: Poll;
  added_options?: PollOption[];
}

/**
 * The options as an event keeps them: marked where the account keeps no content, and then without what we wrote
 * ourselves; what somebody else wrote stays (contract.md 0, Later clients).
 */
export function withoutTexts<Facts extends Shown>(
  facts: Facts,
  { isZeroRetention, isOutbound }: { isZeroRetention: boolean; isOutbound: boolean },
): Facts & { zero_retention?: true } {
  if (!isZeroRetention) return facts;
  if (!isOutbound) return { ...facts, zero_retention: true };
  const emptied = (options: PollOption[]) => options.map((option) => ({ ...option, text: "" }));
  return {
    ...facts,
    ...(facts.poll && { poll: { ...facts.poll, options: emptied(facts.poll.options) } }),
    ...(facts.added_options && { added_options: emptied(facts.added_options) }),
    zero_retention: true,
  };
}
