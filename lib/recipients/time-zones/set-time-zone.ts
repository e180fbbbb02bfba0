import "server-only";
import { z } from "zod";
import { releaseHeld } from "@/lib/identity/accounts/release-held";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { TimeZone } from "@/lib/platform/time/quiet-hours";
import { CustomerParams } from "@/lib/recipients/handles/name-handle";

export const SetTimeZone = contract({
  summary: "Set the time zone of a handle",
  tag: "Customers",
  right: "send_messages",
  params: CustomerParams,
  /** null: the zone of the number. */
  body: z.object({ time_zone: TimeZone.nullable() }),
  status: 204,
  errors: ["access_denied", "phone_not_e164", "parameter_invalid"],
});

const LOCK_TIME_ZONE = statement(
  "lock-time-zone",
  `insert into contacts (account_id, handle) values (:accountId, :handle)
  on conflict (account_id, handle) do update set handle = excluded.handle
  returning time_zone`,
);

const SET_TIME_ZONE = statement(
  "set-time-zone",
  "update contacts set time_zone = :timeZone where account_id = :accountId and handle = :handle",
);

/** Sets the time zone in which a person's quiet hours are, or returns to that of the number. */
export async function setTimeZone(
  ctx: Context,
  { params, body }: Pick<Input<typeof SetTimeZone>, "params" | "body">,
): Promise<undefined> {
  const { handle } = params;
  const timeZone = body.time_zone;
  await transaction(async (tx) => {
    const [before] = await tx.run(LOCK_TIME_ZONE, { accountId: ctx.account.id, handle });
    if (before?.time_zone === timeZone) return;
    await tx.run(SET_TIME_ZONE, { accountId: ctx.account.id, handle, timeZone });
    await releaseHeld(tx, { accountId: ctx.account.id, handle, dueAt: ctx.now });
    const detail = { from: before?.time_zone ?? null, to: timeZone };
    await recordAudit(tx, ctx, "handle.time_zone_set", "handle", handle, detail);
  });
}
