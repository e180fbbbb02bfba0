import { OverviewView } from "@/components/overview/overview-view";
import { getStartingPoint } from "@/lib/identity/accounts/get-starting-point";
import { mayCreateTokens } from "@/lib/identity/tokens/token-right";
import { listLines } from "@/lib/lines/lines/list-lines";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { getOverview } from "@/lib/runtime/dashboard/get-overview";

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
