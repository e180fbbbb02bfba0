import "server-only";
import { allCardProviders } from "@/lib/adapters/card-providers/registry";
import { statusesOf } from "@/lib/payments/card-providers/card-provider-account";
import type { Context } from "@/lib/platform/context";
import type { CardProviderStatus } from "@/lib/platform/prisma/enums";

/** A card provider in the dashboard. */
export interface ListedProvider {
  provider: string;
  label: string;
  status: CardProviderStatus;
  /** Whether this provider issues the cards, when several are ready. */
  isUsed: boolean;
  /** Why this account cannot use it; null when it can. */
  refusal: string | null;
  /** The missing requirements, as the provider words them. */
  missing: readonly string[];
  /** Whether its cards move no money. */
  isPretended: boolean;
}

/** The card providers available to an account, each with its status. */
export async function listCardProviders({ account }: Context): Promise<ListedProvider[]> {
  const statusOf = await statusesOf(account);
  const serving = allCardProviders().filter((provider) => provider.refusal(account.type) === null);
  const used = serving.find((provider) => statusOf(provider) === "ready");
  const listed = allCardProviders().map(async (provider) => {
    const refusal = provider.refusal(account.type);
    return {
      provider: provider.name,
      label: provider.label,
      status: refusal === null ? statusOf(provider) : ("disabled" as const),
      isUsed: provider === used,
      refusal,
      missing: await provider.missing(account.id),
      isPretended: provider.isReadyFromStart,
    };
  });
  const all = await Promise.all(listed);
  return all.filter(({ refusal, isPretended }) => refusal === null || !isPretended);
}
