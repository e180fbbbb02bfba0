import "server-only";
import { z } from "zod";
import { PaymentTotal, totalPayments } from "@/lib/payments/agent-payments/total-payments";
import { HandleParams } from "@/lib/payments/connections/handle-connection";
import {
  HandleConnectionView,
  listHandleConnectionViews,
} from "@/lib/payments/connections/list-handle-connection-views";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const MAX_CONNECTIONS = 10;

export const GetHandleConnectionView = contract({
  summary: "Get a connected customer with payment totals",
  tag: "Agent payments",
  right: "view_payments",
  params: HandleParams,
  returns: z.object({
    handle: z.string(),
    /** One connection per provider, most recently changed first. */
    connections: z.array(HandleConnectionView),
    /** The passkey that approves the customer's payments. null when there is none yet. */
    passkey: z.object({ created_at: z.iso.datetime(), last_used_at: z.iso.datetime().nullable() }).nullable(),
    totals: z.array(PaymentTotal),
  }),
  status: 200,
  errors: ["phone_not_e164"],
  extension: true,
});

/** Returns a handle's customer data. Empty for a handle without a consent request. Errors: phone_not_e164. */
export async function getHandleConnectionView(
  ctx: Context,
  { params }: Pick<Input<typeof GetHandleConnectionView>, "params">,
) {
  const { handle } = params;
  const [{ connections }, { totals }, passkey] = await Promise.all([
    listHandleConnectionViews(ctx, { query: { handle, status: [], limit: MAX_CONNECTIONS } }),
    totalPayments(ctx, { query: { handle, status: [] } }),
    findPasskey(ctx, handle),
  ]);
  return { handle, connections, passkey, totals };
}

const FIND_HANDLE_PASSKEY = statement(
  "find-handle-passkey",
  `select created_at, last_used_at from passkeys where account_id = :accountId and handle = :handle
  order by created_at desc limit 1`,
);

async function findPasskey(ctx: Context, handle: string) {
  const [row] = await sql.run(FIND_HANDLE_PASSKEY, { accountId: ctx.account.id, handle });
  if (row === undefined) return null;
  return {
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}
