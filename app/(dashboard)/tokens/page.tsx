import Link from "next/link";
import { z } from "zod";
import { ListPage } from "@/components/list/list-page";
import { GenerateTokenButton } from "@/components/tokens/generate-token-button";
import { TokenList } from "@/components/tokens/token-list";
import { getStartingPoint } from "@/lib/identity/accounts/get-starting-point";
import { listTokens } from "@/lib/identity/tokens/list-tokens";
import { mayCreateTokens } from "@/lib/identity/tokens/token-right";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";

export const metadata = { title: "API tokens" };

export default async function TokensPage() {
  const { ctx, may } = await requireAccount("view_tokens");
  const [found, start, hasRole] = await Promise.all([
    loadSearch(
      ctx,
      {},
      { api: "/api/tokens", query: z.object({}), filters: [], search: () => listTokens(ctx) },
    ),
    getStartingPoint(ctx),
    mayCreateTokens(ctx),
  ]);
  const mayCreate = hasRole && may("manage_tokens");
  return (
    <ListPage
      title="API tokens"
      description={
        <>
          API tokens let programs access this account through the API. Each token is shown once. Store tokens
          like passwords.{" "}
          <Link href="/docs/guides/tokens" className="underline underline-offset-4">
            Expiry, scopes and rolling
          </Link>
        </>
      }
      actions={mayCreate && <GenerateTokenButton start={start} />}
    >
      <TokenList found={found} mayManage={may("manage_tokens")} mayCreate={mayCreate} />
    </ListPage>
  );
}
