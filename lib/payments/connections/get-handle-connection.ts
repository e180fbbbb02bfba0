import "server-only";
import { findActiveProvider } from "@/lib/payments/card-providers/card-provider-account";
import {
  findConnections,
  HandleParams,
  PaymentHandleConnection,
} from "@/lib/payments/connections/handle-connection";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";

export const GetHandleConnection = contract({
  summary: "Get a customer's connection",
  description: "Returns the status of a customer's connection. Payments require the status `connected`.",
  tag: "Agent payments",
  right: "view_payments",
  params: HandleParams,
  returns: PaymentHandleConnection,
  status: 200,
  errors: ["phone_not_e164"],
});

/**
 * Returns a handle's connection at the provider that issues the cards, else the one that changed last. The status is
 * `not_connected` for a handle without a consent request. Errors: as `GetHandleConnection`.
 */
export async function getHandleConnection(
  ctx: Context,
  { params }: Pick<Input<typeof GetHandleConnection>, "params">,
): Promise<PaymentHandleConnection> {
  const { handle } = params;
  const [used, rows] = await Promise.all([findActiveProvider(ctx), findConnections(ctx.account.id, handle)]);
  const row = rows.find(({ provider }) => provider === used?.name) ?? rows[0];
  return { handle, status: row?.status ?? "not_connected" };
}
