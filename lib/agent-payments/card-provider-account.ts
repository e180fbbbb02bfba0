import "server-only";
import { z } from "zod";
import type { CardProvider } from "@/lib/adapters/card-providers/card-provider";
import { allCardProviders, findCardProvider } from "@/lib/adapters/card-providers/registry";
import type { AccountRef, Context } from "@/lib/platform/context";
import { prisma } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";
import { CardProviderStatus } from "@/lib/platform/prisma/enums";

/** A card provider as an account has it (partner-api.md, PaymentProvider). */
export const PaymentProvider = z
  .object({ provider: z.string().optional(), status: z.enum(CardProviderStatus).optional() })
  .meta({ id: "PaymentProvider" });

/** The provider of a name, for an account of this type. Errors: name_unknown, feature_not_available. */
export function providerFor(account: AccountRef, name: string): CardProvider {
  const provider = findCardProvider(name);
  if (provider === null) {
    const names = allCardProviders().map((known) => known.name);
    fail("name_unknown", `there is no card provider "${name}"; there is ${names.join(", ")}`);
  }
  if (provider.isSandbox && account.type !== "sandbox") {
    fail("feature_not_available", `${name} moves no money and serves sandbox accounts only`);
  }
  return provider;
}

/** Where an account stands with a provider. A sandbox account has the sandbox's provider ready from the start. */
export async function providerStatus(
  account: AccountRef,
  provider: CardProvider,
): Promise<CardProviderStatus> {
  const row = await prisma().cardProviderAccount.findUnique({
    where: { accountId_provider: { accountId: account.id, provider: provider.name } },
    select: { status: true },
  });
  return row?.status ?? (provider.isSandbox && account.type === "sandbox" ? "ready" : "disabled");
}

/** The provider that makes an account's cards. Errors: feature_not_available while none is ready. */
export async function findReadyProvider(ctx: Context): Promise<CardProvider> {
  for (const provider of allCardProviders()) {
    if (provider.isSandbox && ctx.account.type !== "sandbox") continue;
    if ((await providerStatus(ctx.account, provider)) === "ready") return provider;
  }
  return fail(
    "feature_not_available",
    "no card provider is connected: POST /v3/payments/providers/servicecard/connect and finish it on its hosted_url",
  );
}
