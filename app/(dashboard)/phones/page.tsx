import { PhonesView } from "@/components/phones/phones-view";
import { baseUrl } from "@/lib/platform/env";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { requireSandboxAccount } from "@/lib/runtime/dashboard/require-sandbox-account";
import { listMagicHandles } from "@/lib/simulator/magic-handles/magic-handles";
import { ShowPhones, showPhones } from "@/lib/simulator/phones/show-phones";

export const metadata = { title: "Phones" };

type PhonesPageProps = { searchParams: Promise<{ open?: string | string[] }> };

export default async function PhonesPage({ searchParams }: PhonesPageProps) {
  const { account, ctx } = await requireAccount("view_chats");
  requireSandboxAccount(account);
  // A link with an invalid handle shows the phones that were used last.
  const asked = ShowPhones.query.safeParse({ open: [(await searchParams).open ?? []].flat().join(",") });
  const [view, { handles }] = await Promise.all([
    showPhones(ctx, { query: { open: asked.data?.open ?? [] } }),
    listMagicHandles(ctx),
  ]);
  return (
    <PhonesView
      key={account.id}
      initial={view}
      initialOpen={view.screens.map(({ handle }) => handle)}
      magicHandles={handles}
      baseUrl={baseUrl()}
      now={ctx.now.toISOString()}
    />
  );
}
