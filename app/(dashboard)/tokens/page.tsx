import { TokensView } from "@/components/tokens/tokens-view";
import { getStartingPoint } from "@/lib/identity/accounts/get-starting-point";
import { listTokens } from "@/lib/identity/tokens/list-tokens";
import { mayCreateTokens } from "@/lib/identity/tokens/token-right";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "API tokens" };

export default async function TokensPage() {
  const { account, ctx, may } = await requireAccount("view_tokens");
  const [{ tokens }, start, mayCreate] = await Promise.all([
    listTokens(ctx),
    getStartingPoint(ctx),
    mayCreateTokens(ctx),
  ]);
  return (
    <TokensView
      key={account.id}
      initialTokens={tokens}
      mayManage={may("manage_tokens")}
      mayCreate={mayCreate}
      start={start}
    />
  );
}
