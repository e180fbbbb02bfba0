import { PhoneWall } from "@/components/phones/phone-wall";
import { baseUrl } from "@/lib/platform/env";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { requireSandboxAccount } from "@/lib/runtime/dashboard/require-sandbox-account";
import { listMagicHandles } from "@/lib/simulator/magic-handles/magic-handles";
import { ListPhoneViews, listPhoneViews } from "@/lib/simulator/phones/list-phone-views";

export const metadata = { title: "Phones" };

type PhonesPageProps = { searchParams: Promise<{ open?: string | string[] }> };

export default async function PhonesPage({ searchParams }: PhonesPageProps) {
  const { account, ctx } = await requireAccount("view_chats");
  requireSandboxAccount(account);
  // A link with an invalid handle shows the phones that were used last.
  const asked = ListPhoneViews.query.safeParse({ open: [(await searchParams).open ?? []].flat().join(",") });
  const [view, { handles }] = await Promise.all([
    listPhoneViews(ctx, { query: { open: asked.data?.open ?? [] } }),
    listMagicHandles(ctx),
  ]);
  return (
    <PhoneWall
      key={account.id}
      initial={view}
      initialOpen={view.screens.map(({ handle }) => handle)}
      magicHandles={handles}
      baseUrl={baseUrl()}
      now={ctx.now.toISOString()}
    />
  );
}
