import { clearUnsent } from "@/components/composer/page-messages";
import { clearDrafts } from "@/components/composer/use-draft";
import { clearRecent } from "@/components/shell/palette/recent-commands";

/** Deletes what the dashboard stored in this browser: drafts, unsent messages and recent commands, which may contain phone numbers. */
export function clearStoredData(): void {
  clearDrafts();
  clearUnsent();
  clearRecent();
}
