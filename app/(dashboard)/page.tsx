import { OverviewView } from "@/components/overview/overview-view";
import { requireAccount } from "@/lib/dashboard/current-session";
import { getOverview } from "@/lib/identity/accounts/get-overview";
import { getStartingPoint } from "@/lib/identity/accounts/get-starting-point";
import { listLines } from "@/lib/lines/lines/list-lines";
import { mayCreateTokens } from "@/lib/tokens/token-right";

export const metadata = { title: "Overview" };

export default async function OverviewPage() {
  const { account, ctx } = await requireAccount("signed_in");
  const [overview, start, { phone_numbers }] = await Promise.all([
    getOverview(ctx),
    getStartingPoint(ctx),
    listLines(ctx),
  ]);
  const mayManageTokens = await mayCreateTokens(ctx);
  return (
    <OverviewView
      key={account.id}
      initial={overview}
      start={{ ...start, environment: account.type, mayManageTokens }}
      lines={phone_numbers}
    />
  );
}
