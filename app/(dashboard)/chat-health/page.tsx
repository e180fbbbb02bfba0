import Link from "next/link";
import { ChatHealthList } from "@/components/health/chat-health-list";
import { ListPage } from "@/components/list/list-page";
import type { Filter, SearchParams } from "@/lib/client/filters";
import { lineChoices } from "@/lib/client/line-text";
import { listLines } from "@/lib/lines/lines/list-lines";
import { ListChatHealth, listChatHealth } from "@/lib/messaging/health/list-chat-health";
import type { Context } from "@/lib/platform/context";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";

export const metadata = { title: "Chat health" };

async function filtersOf(ctx: Context): Promise<Filter[]> {
  const { phone_numbers: lines } = await listLines(ctx);
  return [
    { type: "tab", name: "status" },
    {
      type: "text",
      name: "q",
      param: "search",
      label: "Part of the recipient's phone number or email address",
      placeholder: "Recipient",
    },
    {
      type: "select",
      name: "line",
      param: "line_id",
      label: "Line",
      all: "All lines",
      options: lineChoices(lines),
    },
  ];
}

export default async function ChatHealthPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { ctx } = await requireAccount("view_chats");
  const loaded = await loadSearch(ctx, await searchParams, {
    api: "/api/chat-health",
    query: ListChatHealth.query,
    filters: await filtersOf(ctx),
    search: (query) => listChatHealth(ctx, { query }),
  });
  return (
    <ListPage
      title="Chat health"
      description={
        <>
          A chat is at risk after 4 unanswered messages in 24 hours and critical after 8. A single reply makes
          it healthy again.{" "}
          <Link className="underline underline-offset-4" href="/docs/guides/chats/chat-health">
            How chat health works
          </Link>
        </>
      }
    >
      <ChatHealthList found={loaded} />
    </ListPage>
  );
}
