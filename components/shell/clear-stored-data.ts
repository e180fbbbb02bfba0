import { clearUnsent } from "@/components/composer/page-messages";
import { clearDrafts } from "@/components/composer/use-draft";
import { clearRecent } from "@/components/shell/palette/recent-commands";

/**
 * Deletes what the dashboard stored in this browser: drafts, unsent messages and recent commands, which may contain phone
 * numbers. Unsent messages of other users than the sender's are kept; `sender`: null to delete those, too.
 */
export function clearStoredData(sender: string | null): void {
  clearDrafts();
  clearUnsent(sender);
  clearRecent();
}
