import "server-only";
import { z } from "zod";
import { PaymentTotal, totalAgentPayments } from "@/lib/payments/agent-payments/total-agent-payments";
import { HandleParams } from "@/lib/payments/connections/handle-connection";
import { ListedConnection, listHandleConnections } from "@/lib/payments/connections/list-handle-connections";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";

const MAX_CONNECTIONS = 10;

export const ShowCustomer = contract({
  summary: "Get a connected customer with payment totals",
  tag: "Agent payments",
  right: "view_payments",
  params: HandleParams,
  returns: z.object({
    handle: z.string(),
    /** One connection per provider, most recently changed first. */
    connections: z.array(ListedConnection),
    /** The passkey that approves the customer's payments. null when there is none yet. */
    passkey: z.object({ created_at: z.iso.datetime(), last_used_at: z.iso.datetime().nullable() }).nullable(),
    totals: z.array(PaymentTotal),
  }),
  status: 200,
  errors: ["phone_not_e164"],
  extension: true,
});

/** Returns a handle's customer data. Empty for a handle without a consent request. Errors: phone_not_e164. */
export async function showCustomer(ctx: Context, { params }: Pick<Input<typeof ShowCustomer>, "params">) {
  const { handle } = params;
  const [{ connections }, { totals }, passkey] = await Promise.all([
    listHandleConnections(ctx, { query: { handle, status: [], limit: MAX_CONNECTIONS } }),
    totalAgentPayments(ctx, { query: { handle, status: [] } }),
    findPasskey(ctx, handle),
  ]);
  return { handle, connections, passkey, totals };
}

async function findPasskey(ctx: Context, handle: string) {
  const [row] = await sql.query<{ created_at: Date; last_used_at: Date | null }>({
    name: "show-customer-passkey",
    text: `select created_at, last_used_at from passkeys where account_id = $1 and handle = $2
           order by created_at desc limit 1`,
    values: [ctx.account.id, handle],
  });
  if (row === undefined) return null;
  return {
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}
