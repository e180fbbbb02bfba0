import "server-only";
import { findReadyProvider } from "@/lib/agent-payments/card-provider-account";
import {
  findConnection,
  HandleParams,
  PaymentHandleConnection,
} from "@/lib/agent-payments/handle-connection";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";

export const GetHandleConnection = contract({
  summary: "Get a customer's connection",
  tag: "Agent payments",
  params: HandleParams,
  returns: PaymentHandleConnection,
  status: 200,
  errors: ["phone_not_e164", "feature_not_available"],
});

/** Where a handle's connection stands; `not_connected` for one that was never asked. Errors: as `GetHandleConnection`. */
export async function getHandleConnection(
  ctx: Context,
  { params }: Pick<Input<typeof GetHandleConnection>, "params">,
): Promise<PaymentHandleConnection> {
  const { handle } = params;
  const provider = await findReadyProvider(ctx);
  const row = await findConnection({ accountId: ctx.account.id, provider: provider.name, handle });
  return { handle, status: row?.status ?? "not_connected" };
}
