import "server-only";
import type { DeliveryState } from "@/lib/events/store/delivery-state";
import type { EventConditions } from "@/lib/events/store/event-conditions";
import type { SqlText } from "@/lib/platform/database/db";

/** Maximum number of events that one page reads when no index can find the matches. */
export const MAX_SEARCHED_ROWS = 20_000;

export interface EventSearch extends EventConditions {
  status?: DeliveryState | undefined;
  subscription_id?: string | undefined;
  limit: number;
}

/** An event's position in the sort order. The next page starts after it. */
export interface EventPlace {
  seq: string;
  created_at: Date;
}

export interface PreparedSearch {
  /** Selects one extra row, which shows whether there is another page. */
  page: SqlText;
  /** Selects the last event that a page reads; null when the page reads to the end of the log. */
  end: SqlText | null;
  /** Selects the events of this page and all further pages, for counting; null when a page reads each event's data. */
  matching: SqlText | null;
}
