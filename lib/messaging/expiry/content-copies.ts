import "server-only";
import type { Sql } from "@/lib/platform/database/db";

/**
 * Content to be erased: of these messages, and all content from before `before`, whether stored as a message or not.
 * null = only of these messages.
 */
export interface ErasedContent {
  accountId: string;
  messageIds: readonly string[];
  before: Date | null;
}

/** Erases the copies of message content that another room stores in this database. */
type EraseCopies = (tx: Sql, content: ErasedContent) => Promise<void>;

const shared = globalThis as typeof globalThis & { trunklineContentCopies?: readonly EraseCopies[] };

/** Registers all functions that erase copies. Each process does so at startup (lib/runtime/wiring). */
export function provideContentCopies(copies: readonly EraseCopies[]): void {
  shared.trunklineContentCopies = copies;
}

/** Erases every copy of the content outside messages. Throws when the process has registered no functions. */
export async function eraseCopies(tx: Sql, content: ErasedContent): Promise<void> {
  if (shared.trunklineContentCopies === undefined) {
    throw new Error(
      "no content copies are provided: call registerDependencies() of lib/runtime/wiring at the start",
    );
  }
  for (const erase of shared.trunklineContentCopies) await erase(tx, content);
}
