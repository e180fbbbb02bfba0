import "server-only";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import type { ReplacedHandle } from "@/lib/privacy/erasure/replace-handle";
import { erasedHandle } from "@/lib/recipients/erased-handles/erased-handles";

/** An erasure in progress, as its steps read it. */
export type Erasure = RowOf<"claim-erasures">;

/** The result of a part of a step. */
export interface StepResult {
  /** Deleted, emptied or changed rows by table. */
  counts: Readonly<Record<string, number>>;
  /** Where the next part goes on; null = the step is done. */
  cursor: string | object | null;
}

/** A step of an erasure. A part of it that is run again after a crash changes nothing more. */
export interface Step {
  name: string;
  /** Effects outside the database, before the transaction of each part. Returns what it deleted by table. */
  prepare?(erasure: Erasure): Promise<Readonly<Record<string, number>>>;
  /** A bounded part, in the transaction that records how far the erasure is. */
  run(tx: Sql, erasure: Erasure): Promise<StepResult>;
}

/** Where a step that goes through a table by its ids goes on. */
export function positionOf({ cursor }: Pick<Erasure, "cursor">, first: string): string {
  return typeof cursor === "string" ? cursor : first;
}

export const NO_ID = "00000000-0000-0000-0000-000000000000";

/** The handle of the person and the text that replaces it. */
export function replacedHandle({ id, handle }: Erasure): ReplacedHandle {
  return { handle, replacement: erasedHandle(id) };
}

/** The chats that were the person's, once they are closed. */
export interface ClosedChats {
  direct: string[];
  groups: string[];
  /** The person in these chats. */
  participants: string[];
}

const FIND_CLOSED_CHATS = plannedStatement(
  "find-closed-chats",
  `select p.id, p.chat_id, c.is_group
  from participants p join chats c on c.account_id = p.account_id and c.id = p.chat_id
  where p.account_id = :accountId and p.handle = :erasedHandle order by p.chat_id`,
);

/** Finds the chats of the person by the participant that the first step left there. */
export async function findClosedChats(tx: Sql, erasure: Erasure): Promise<ClosedChats> {
  const rows = await tx.run(FIND_CLOSED_CHATS, {
    accountId: erasure.accountId,
    erasedHandle: erasedHandle(erasure.id),
  });
  const idsOf = (isGroup: boolean) =>
    rows.flatMap(({ chat_id, is_group }) => (is_group === isGroup ? [chat_id] : []));
  return { direct: idsOf(false), groups: idsOf(true), participants: rows.map(({ id }) => id) };
}

/** The context in which an erasure cancels payments: that of the person who asked for it. */
export function contextOf(erasure: Erasure, now: Date): Context {
  const { accountId: id, partnerId, accountType: type, traceId } = erasure;
  return { account: { id, partnerId, type }, actor: { type: "system" }, traceId, now };
}
