import "server-only";
import { z } from "zod";
import { decodeCursor } from "@/lib/platform/lists/page";
import type { Prisma } from "@/lib/platform/prisma/client";

const CursorKey = z.tuple([z.iso.datetime(), z.uuid()]);

/** The position of a chat in lists by activity, newest first. */
export function chatKey(row: { id: string; lastActivityAt: Date }): readonly string[] {
  return [row.lastActivityAt.toISOString(), row.id];
}

/**
 * The condition for rows after a cursor. The `lte` beside the OR lets the index scan start at the cursor instead of
 * filtering out all newer rows. Errors: parameter_invalid.
 */
export function chatsAfter(cursor: string) {
  const { at, id } = readChatCursor(cursor);
  return {
    lastActivityAt: { lte: at },
    OR: [{ lastActivityAt: { lt: at } }, { lastActivityAt: at, id: { lt: id } }],
  } satisfies Prisma.ChatWhereInput;
}

/** The position of a cursor, for lists in SQL. Errors: parameter_invalid. */
export function readChatCursor(cursor: string): { at: string; id: string } {
  const [at, id] = decodeCursor(cursor, CursorKey);
  return { at, id };
}
