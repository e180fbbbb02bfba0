import { readBoardFilter, toBoardQuery } from "@/components/health/board-filter";
import { HealthBoard } from "@/components/health/health-board";
import { listLines } from "@/lib/lines/lines/list-lines";
import { ListChatHealth, listChatHealth } from "@/lib/messaging/health/list-chat-health";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Chat health" };

type ChatHealthPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function ChatHealthPage({ searchParams }: ChatHealthPageProps) {
  const [{ account, ctx }, asked] = await Promise.all([requireAccount("view_chats"), searchParams]);
  const filter = readBoardFilter(asked);
  // What cannot be asked for is asked by the page itself, which shows why it was refused.
  const query = ListChatHealth.query.safeParse(toBoardQuery(filter));
  const [{ phone_numbers }, initial] = await Promise.all([
    listLines(ctx),
    query.success ? listChatHealth(ctx, { query: query.data }) : undefined,
  ]);
  const lines = phone_numbers.map(({ id, phone_number }) => ({ id, phone_number }));
  return <HealthBoard key={account.id} initial={initial} filter={filter} lines={lines} />;
}
