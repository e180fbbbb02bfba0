import { readLineFilter } from "@/components/lines/line-filter";
import { LinesView } from "@/components/lines/lines-view";
import { listLineSettings } from "@/lib/lines/lines/list-line-settings";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Lines" };

type LinesPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function LinesPage({ searchParams }: LinesPageProps) {
  const [{ account, ctx }, query] = await Promise.all([requireAccount("view_lines"), searchParams]);
  const { lines } = await listLineSettings(ctx);
  return <LinesView key={account.id} initial={lines} filter={readLineFilter(query)} />;
}
