import "server-only";
import type { Poll, PollOption } from "@/lib/messaging/polls/poll";

/** The properties of a poll's events that contain its options. */
interface Shown {
  poll?: Poll;
  added_options?: PollOption[];
}

/**
 * Returns a poll's options for storage in an event. In an account that stores no content they are marked, and texts
 * that the account wrote are removed; texts from contacts remain (docs/contract.md, section 12.5).
 */
export function withoutTexts<EventData extends Shown>(
  details: EventData,
  { isZeroRetention, isOutbound }: { isZeroRetention: boolean; isOutbound: boolean },
): EventData & { zero_retention?: true } {
  if (!isZeroRetention) return details;
  if (!isOutbound) return { ...details, zero_retention: true };
  const emptied = (options: PollOption[]) => options.map((option) => ({ ...option, text: "" }));
  return {
    ...details,
    ...(details.poll && { poll: { ...details.poll, options: emptied(details.poll.options) } }),
    ...(details.added_options && { added_options: emptied(details.added_options) }),
    zero_retention: true,
  };
}
