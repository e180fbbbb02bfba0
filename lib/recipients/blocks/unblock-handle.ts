import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { BlockableHandle } from "@/lib/recipients/blocks/blocked-handle";

export const UnblockHandle = contract({
  summary: "Unblock a handle",
  description:
    "Removes a handle from the block list. New messages from the handle are delivered again; messages dropped while it was blocked are not recovered.",
  tag: "Blocked handles",
  right: "manage_blocks",
  body: z
    .object({
      handle: BlockableHandle.describe(
        "The handle to unblock, exactly as `GET /v3/blocked_handles` returns it.",
      ),
    })
    .meta({ examples: [{ handle: "+12025550123" }] }),
  status: 204,
  errors: ["access_denied", "field_missing", "parameter_invalid", "blocked_handle_not_found"],
});

const UNBLOCK_HANDLE = statement(
  "unblock-handle",
  `with before as (
    select account_id, handle, blocked_reason from contacts
    where account_id = :accountId and handle = :handle and blocked_at is not null for no key update
  )
  update contacts k
  set blocked_at = null, blocked_reason = null, blocked_by_type = null, blocked_by_id = null,
    blocked_file = null
  from before where k.account_id = before.account_id and k.handle = before.handle
  returning before.blocked_reason`,
);

/**
 * Removes a block. The handle can be written in any format (docs/contract.md, section 9.2). Errors:
 * blocked_handle_not_found.
 */
export async function unblockHandle(
  ctx: Context,
  { body }: Pick<Input<typeof UnblockHandle>, "body">,
): Promise<undefined> {
  await transaction(async (tx) => {
    const [before] = await tx.run(UNBLOCK_HANDLE, { accountId: ctx.account.id, handle: body.handle });
    if (before === undefined) fail("blocked_handle_not_found", `${body.handle} is not blocked`);
    const detail = { reason: before.blocked_reason };
    await recordAudit(tx, ctx, "handle.unblocked", "handle", body.handle, detail);
  });
}
