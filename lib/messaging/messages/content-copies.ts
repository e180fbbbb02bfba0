import "server-only";
import type { Sql } from "@/lib/platform/db";

/** Content to be erased: of these messages, and all from before `before`, stored as a message or not. */
export interface ErasedContent {
  accountId: string;
  messageIds: readonly string[];
  before: Date;
}

/** Erases the copies of message content that another room keeps in this database. */
type EraseCopies = (tx: Sql, content: ErasedContent) => Promise<void>;

const shared = globalThis as typeof globalThis & { trunklineContentCopies?: readonly EraseCopies[] };

/** Names everyone who keeps copies of message content. Each process does so at its start (lib/runtime/wiring). */
export function provideContentCopies(copies: readonly EraseCopies[]): void {
  shared.trunklineContentCopies = copies;
}

/** Erases every copy of the content outside messages. Throws when the process did not name those who keep copies. */
export async function eraseCopies(tx: Sql, content: ErasedContent): Promise<void> {
  if (shared.trunklineContentCopies === undefined) {
    throw new Error("no content copies are provided: call connectRooms() of lib/runtime/wiring at the start");
  }
  for (const erase of shared.trunklineContentCopies) await erase(tx, content);
}
