/** Counts of messages in a period. */
interface Outcomes {
  sent: number;
  failed: number;
  failed_after_sent: number;
  delivered: number;
}

/**
 * The messages that were attempted: sent or failed, each once. A receipt or failure counts in the period in which it
 * arrives, so a period may have more of them than messages.
 */
export function attempted({ sent, failed, failed_after_sent: both, delivered }: Outcomes): number {
  return Math.max(sent + failed - both, delivered, failed);
}
