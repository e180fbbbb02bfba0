import { cookies } from "next/headers";
import { HomeScreen } from "@/components/home/home-screen";
import { zoneCookie } from "@/components/home/zone-cookie";
import type { SearchParams } from "@/lib/client/filters";
import { compareLines } from "@/lib/client/line-text";
import { getStartingPoint } from "@/lib/identity/accounts/get-starting-point";
import { mayCreateTokens } from "@/lib/identity/tokens/token-right";
import { listLines } from "@/lib/lines/lines/list-lines";
import { ApiError } from "@/lib/platform/errors/errors";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { getHome, HomeQuery } from "@/lib/runtime/dashboard/get-home";

export const metadata = { title: "Home" };

type HomePageProps = { searchParams: Promise<SearchParams> };

export default async function HomePage({ searchParams }: HomePageProps) {
  const { account, ctx, may } = await requireAccount("signed_in");
  const own = HomeQuery.safeParse({ zone: (await cookies()).get(zoneCookie)?.value });
  const ownZone = own.success ? own.data.zone : "UTC";
  const { line, ...search } = await searchParams;
  const asked = HomeQuery.safeParse({ zone: ownZone, ...search });
  const query = asked.success ? asked.data : HomeQuery.parse({ zone: ownZone });
  const lineId = HomeQuery.shape.line_id.safeParse(line).data;
  const homeOf = (line_id: string | undefined) => getHome(ctx, { query: { ...query, line_id } });
  const [{ phone_numbers }, found, start, mayManageTokens] = await Promise.all([
    listLines(ctx),
    homeOf(lineId).catch(nullIfRejected),
    getStartingPoint(ctx),
    may("manage_tokens") && mayCreateTokens(ctx),
  ]);
  const isListed = lineId === undefined || phone_numbers.some(({ id }) => id === lineId);
  const home = found !== null && isListed ? found : await homeOf(undefined);
  return (
    <HomeScreen
      key={account.id}
      initial={home}
      ownZone={ownZone}
      start={{ ...start, environment: account.type, mayManageTokens }}
      lines={phone_numbers.toSorted(compareLines)}
    />
  );
}

/** A line that is not the account's: the page shows the account instead. */
function nullIfRejected(error: unknown): null {
  if (error instanceof ApiError) return null;
  throw error;
}
