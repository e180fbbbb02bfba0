import { PhonesView } from "@/components/phones/phones-view";
import { baseUrl } from "@/lib/platform/env";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { requireSandboxAccount } from "@/lib/runtime/dashboard/require-sandbox-account";
import { ShowPhones, showPhones } from "@/lib/simulator/show-phones";

export const metadata = { title: "Phones" };

type PhonesPageProps = { searchParams: Promise<{ open?: string | string[] }> };

export default async function PhonesPage({ searchParams }: PhonesPageProps) {
  const { account, ctx } = await requireAccount("view_chats");
  requireSandboxAccount(account);
  // A link with an invalid handle shows the phones that were used last.
  const asked = ShowPhones.query.safeParse({ open: [(await searchParams).open ?? []].flat().join(",") });
  const view = await showPhones(ctx, { query: { open: asked.data?.open ?? [] } });
  return (
    <PhonesView
      key={account.id}
      initial={view}
      initialOpen={view.screens.map(({ handle }) => handle)}
      baseUrl={baseUrl()}
      now={ctx.now.toISOString()}
    />
  );
}
