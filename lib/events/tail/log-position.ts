import "server-only";
import { lastSeq } from "@/lib/events/store/logged-event";
import { sql } from "@/lib/platform/database/db";

const BACK = 1000;

/**
 * Returns the number from which a page with the newest events starts following the log. It is low enough to include
 * events with lower numbers that commit after the page was rendered. The page drops events that it already shows.
 */
export async function logPosition(): Promise<number> {
  return Math.max(0, (await lastSeq(sql)) - BACK);
}
