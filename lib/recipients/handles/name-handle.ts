import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { maxUnits } from "@/lib/platform/text/max-units";
import { SenderHandle } from "@/lib/platform/text/phone-handle";
import { normalizeHandle } from "@/lib/recipients/handles/normalize-handle";

const MAX_NAME = 100;

/** Path parameters of a customer. A phone number can have any format. */
export const CustomerParams = z.object({ handle: z.string().transform(normalizeHandle).pipe(SenderHandle) });

export const NameHandle = contract({
  summary: "Name a handle in the dashboard",
  tag: "Customers",
  right: "send_messages",
  params: CustomerParams,
  /** null removes the name. */
  body: z.object({ name: z.string().trim().min(1).check(maxUnits(MAX_NAME)).nullable() }),
  status: 204,
  errors: ["access_denied", "phone_not_e164"],
});

const LOCK_HANDLE_NAME = statement(
  "lock-handle-name",
  `insert into contacts (account_id, handle) values (:accountId, :handle)
  on conflict (account_id, handle) do update set handle = excluded.handle
  returning name`,
);

const NAME_HANDLE = statement(
  "name-handle",
  `update contacts set name = :name, name_source = case when :name::text is not null then 'person' end
  where account_id = :accountId and handle = :handle`,
);

/**
 * Names a handle for the account's people, or removes its name. The name is shown in the dashboard only: the partner API
 * and webhooks never contain it.
 */
export async function nameHandle(
  ctx: Context,
  { params, body }: Pick<Input<typeof NameHandle>, "params" | "body">,
): Promise<undefined> {
  const { handle } = params;
  await transaction(async (tx) => {
    const [before] = await tx.run(LOCK_HANDLE_NAME, { accountId: ctx.account.id, handle });
    if (before?.name === body.name) return;
    await tx.run(NAME_HANDLE, { accountId: ctx.account.id, handle, name: body.name });
    const detail = { from: before?.name ?? null, to: body.name };
    await recordAudit(tx, ctx, "handle.named", "handle", handle, detail);
  });
}
