import "server-only";
import { z } from "zod";
import { actorId, recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement, statement } from "@/lib/platform/database/statement";
import { maxUnits } from "@/lib/platform/text/max-units";
import {
  BLOCKED_COLUMNS,
  BlockableHandle,
  BlockedHandle,
  type BlockedRow,
  toBlockedHandle,
} from "@/lib/recipients/blocks/blocked-handle";

const MAX_REASON = 500;

export const BlockHandle = contract({
  summary: "Block a handle",
  description:
    "Blocks a handle for the whole account. Messages from a blocked handle are dropped without a webhook, and direct sends to it fail with 2026. Groups that contain the handle are not affected. If the handle is already blocked, the existing entry is returned.",
  tag: "Blocked handles",
  right: "manage_blocks",
  body: z
    .object({
      handle: BlockableHandle.describe(
        "Phone number in E.164 format, email address, short code of 3 to 8 digits, or name of a sender.",
      ),
      reason: z
        .string()
        .trim()
        .check(maxUnits(MAX_REASON))
        .nullish()
        .describe("Your note on the block. Shown in the list and in the dashboard."),
    })
    .meta({ examples: [{ handle: "+12025550123", reason: "Repeated abuse" }] }),
  returns: z.object({ blocked_handle: BlockedHandle.describe("The entry in the block list.") }),
  status: 200,
  errors: ["access_denied", "field_missing", "parameter_invalid"],
});

/**
 * Blocks a handle for the whole account. Its messages are dropped and direct sends to it fail with 2026; groups are not
 * affected (docs/contract.md, section 9.2). Blocking it again has no effect.
 */
export async function blockHandle(ctx: Context, { body }: Pick<Input<typeof BlockHandle>, "body">) {
  const row = await transaction(async (tx) => {
    const { handle, reason = null } = body;
    return (await blockOnce(tx, ctx, { handle, reason })) ?? findBlock(tx, ctx, handle);
  });

  return { blocked_handle: toBlockedHandle(row) };
}

interface NewBlock {
  handle: string;
  reason: string | null;
  /** The file that the block was imported from. */
  filename?: string;
}

/** Blocks a handle and records it in the audit log. undefined when the handle is already blocked. */
export async function blockOnce(tx: Sql, ctx: Context, block: NewBlock): Promise<BlockedRow | undefined> {
  const { handle, ...detail } = block;
  const blocked = await insertBlock(tx, ctx, block);
  if (blocked !== undefined) await recordAudit(tx, ctx, "handle.blocked", "handle", handle, detail);
  return blocked;
}

const BLOCK_HANDLE = statement(
  "block-handle",
  `insert into contacts as k (account_id, handle, blocked_at, blocked_reason, blocked_by_type, blocked_by_id,
    blocked_file)
  values (:accountId, :handle, :now, :reason, :actorType, :actorId, :filename)
  on conflict (account_id, handle) do update set blocked_at = excluded.blocked_at,
    blocked_reason = excluded.blocked_reason, blocked_by_type = excluded.blocked_by_type,
    blocked_by_id = excluded.blocked_by_id, blocked_file = excluded.blocked_file
  where k.blocked_at is null
  returning ${BLOCKED_COLUMNS}`,
);

async function insertBlock(
  tx: Sql,
  ctx: Context,
  { handle, reason, filename }: NewBlock,
): Promise<BlockedRow | undefined> {
  const [row] = await tx.run(BLOCK_HANDLE, {
    accountId: ctx.account.id,
    handle,
    now: ctx.now,
    reason,
    actorType: ctx.actor.type,
    actorId: actorId(ctx.actor),
    filename: filename ?? null,
  });
  return row;
}

const FIND_BLOCK = plannedStatement(
  "find-block",
  `select ${BLOCKED_COLUMNS} from contacts where account_id = :accountId and handle = :handle`,
);

async function findBlock(tx: Sql, ctx: Context, handle: string): Promise<BlockedRow> {
  const [row] = await tx.run(FIND_BLOCK, { accountId: ctx.account.id, handle });
  if (row === undefined) throw new Error("a blocked handle vanished between two statements");
  return row;
}
