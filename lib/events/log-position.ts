import "server-only";
import { lastSeq } from "@/lib/events/logged-event";
import { sql } from "@/lib/platform/db";

const BACK = 1000;

/**
 * From which number a page that shows the newest events follows on: far enough back for an event that commits after the
 * page was made with a lower number than those on it. The page drops what it has already.
 */
export async function logPosition(): Promise<number> {
  return Math.max(0, (await lastSeq(sql)) - BACK);
}
