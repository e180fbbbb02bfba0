/** The time after the send in which iMessage lets a message be unsent (docs/contract.md, section 7.7). */
export const UNSENDABLE_MINUTES = 2;

/** Whether a message that was sent at `sentAt` can no longer be unsent. */
export function isTooLate(sentAt: Date, now: Date): boolean {
  return now.getTime() - sentAt.getTime() > UNSENDABLE_MINUTES * 60_000;
}
