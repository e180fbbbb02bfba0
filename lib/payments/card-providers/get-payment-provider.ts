import "server-only";
import { z } from "zod";
import {
  PaymentProvider,
  providerFor,
  providerStatus,
} from "@/lib/payments/card-providers/card-provider-account";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";

export const GetPaymentProvider = contract({
  summary: "Get a card provider's status",
  description: "Returns the status of the connection to a card provider.",
  tag: "Agent payments",
  right: "view_payments",
  params: z.object({
    provider: z.string().meta({ description: "Name of the card provider.", examples: ["servicecard"] }),
  }),
  returns: PaymentProvider,
  status: 200,
  errors: ["name_unknown", "feature_not_available"],
});

/** Returns the account's status at a card provider. Errors: name_unknown, feature_not_available. */
export async function getPaymentProvider(
  ctx: Context,
  { params }: Pick<Input<typeof GetPaymentProvider>, "params">,
) {
  const provider = providerFor(ctx.account, params.provider);
  return { provider: provider.name, status: await providerStatus(ctx.account, provider) };
}
