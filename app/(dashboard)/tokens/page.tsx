import { TokensView } from "@/components/tokens/tokens-view";
import { getStartingPoint } from "@/lib/accounts/get-starting-point";
import { requireAccount } from "@/lib/dashboard/current-session";
import { listTokens } from "@/lib/tokens/list-tokens";
import { mayCreateTokens } from "@/lib/tokens/token-right";
import { roleHasRight } from "@/lib/users/role-rights";

export const metadata = { title: "API tokens" };

export default async function TokensPage() {
  const { account, ctx } = await requireAccount();
  const [{ tokens }, start, mayCreate] = await Promise.all([
    listTokens(ctx),
    getStartingPoint(ctx),
    mayCreateTokens(ctx),
  ]);
  return (
    <TokensView
      key={account.id}
      initialTokens={tokens}
      mayManage={roleHasRight(account.role, "manage_tokens")}
      mayCreate={mayCreate}
      start={start}
    />
  );
}
