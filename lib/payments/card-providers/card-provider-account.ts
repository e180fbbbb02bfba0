import "server-only";
import { z } from "zod";
import type { CardProvider } from "@/lib/adapters/card-providers/card-provider";
import { allCardProviders, findCardProvider } from "@/lib/adapters/card-providers/registry";
import type { AccountRef, Context } from "@/lib/platform/context";
import { prisma } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";
import { CardProviderStatus } from "@/lib/platform/prisma/enums";
import { cardProviderNamed } from "@/lib/platform/text/accepted-names";

/** A card provider with the account's status there (docs/contract.md, section 14.3). */
export const PaymentProvider = z
  .object({
    provider: z.string().optional().describe("Name of the card provider."),
    status: z
      .enum(CardProviderStatus)
      .optional()
      .describe(
        "Status of the connection: `onboarding` until an admin completes it, then `ready`; `disabled` once it is removed.",
      ),
  })
  .meta({
    id: "PaymentProvider",
    description: "The connection of your account to a card provider.",
    examples: [{ provider: "servicecard", status: "ready" }],
  });

/** Returns the provider of a name, for an account of this type. Errors: name_unknown, feature_not_available. */
export function providerFor(account: AccountRef, name: string): CardProvider {
  const provider = findCardProvider(cardProviderNamed(name));
  if (provider === null) {
    const names = allCardProviders().map((known) => known.name);
    fail("name_unknown", `there is no card provider "${name}": use one of ${names.join(", ")}`);
  }
  const refusal = provider.refusal(account.type);
  if (refusal !== null) fail("feature_not_available", refusal);
  return provider;
}

/** Returns the account's status at a provider. */
export async function providerStatus(
  account: AccountRef,
  provider: CardProvider,
): Promise<CardProviderStatus> {
  return (await statusesOf(account))(provider);
}

/** Returns the account's status at each available provider. */
export async function statusesOf(
  account: AccountRef,
): Promise<(provider: CardProvider) => CardProviderStatus> {
  const rows = await prisma().cardProviderAccount.findMany({
    where: { accountId: account.id },
    select: { provider: true, status: true },
  });
  return ({ name, isReadyFromStart }) =>
    rows.find(({ provider }) => provider === name)?.status ?? (isReadyFromStart ? "ready" : "disabled");
}

/** Returns the provider that issues the account's cards, or null while none is ready. */
export async function findActiveProvider({ account }: Context): Promise<CardProvider | null> {
  const statusOf = await statusesOf(account);
  return servingOf(account).find((provider) => statusOf(provider) === "ready") ?? null;
}

/** As `findActiveProvider`. Errors: feature_not_available when none is ready. */
export async function findReadyProvider(ctx: Context): Promise<CardProvider> {
  const ready = await findActiveProvider(ctx);
  if (ready !== null) return ready;
  return fail(
    "feature_not_available",
    `no card provider is connected: ${setupAdvice(ctx.account, servingOf(ctx.account))}`,
  );
}

/**
 * Returns the provider a payment was created with, even if another one issues the cards now. Errors:
 * feature_not_available unless it is ready.
 */
export async function requireReady({ account }: Context, name: string): Promise<CardProvider> {
  const provider = providerFor(account, name);
  if ((await providerStatus(account, provider)) === "ready") return provider;
  return fail(
    "feature_not_available",
    `this payment was started with ${name}, which is no longer ready: create another payment with a new Idempotency-Key`,
  );
}

function servingOf({ type }: AccountRef): CardProvider[] {
  return allCardProviders().filter((provider) => provider.refusal(type) === null);
}

function setupAdvice({ type }: AccountRef, [provider]: readonly CardProvider[]): string {
  if (provider !== undefined) {
    return `POST /v3/payments/providers/${provider.name}/connect and finish it on its hosted_url`;
  }
  return allCardProviders()
    .map((known) => known.refusal(type))
    .join("; ");
}
