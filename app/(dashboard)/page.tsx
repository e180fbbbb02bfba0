import { cookies } from "next/headers";
import { HomeScreen } from "@/components/home/home-screen";
import { zoneCookie } from "@/components/home/zone-cookie";
import type { SearchParams } from "@/lib/client/filters";
import { compareLines } from "@/lib/client/line-text";
import { getStartingPoint } from "@/lib/identity/accounts/get-starting-point";
import { mayCreateTokens } from "@/lib/identity/tokens/token-right";
import { listLines } from "@/lib/lines/lines/list-lines";
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
  const { phone_numbers } = await listLines(ctx);
  const isOwn = phone_numbers.some(({ id }) => id === line);
  const [home, start] = await Promise.all([
    getHome(ctx, { query: { ...query, line_id: isOwn ? String(line) : undefined } }),
    getStartingPoint(ctx),
  ]);
  const mayManageTokens = may("manage_tokens") && (await mayCreateTokens(ctx));
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
