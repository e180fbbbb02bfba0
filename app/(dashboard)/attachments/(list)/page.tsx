import Link from "next/link";
import { AttachmentList } from "@/components/attachments/attachment-list";
import { DIRECTIONS, FAMILIES, TIERS } from "@/components/attachments/describe-file";
import { recordOptions } from "@/components/data/record-badge";
import { ListPage } from "@/components/list/list-page";
import { ListAttachmentViews, listAttachmentViews } from "@/lib/attachments/files/list-attachment-views";
import { totalAttachments } from "@/lib/attachments/files/total-attachments";
import type { Filter, FilterOption, SearchParams } from "@/lib/client/filters";
import { lineChoices } from "@/lib/client/line-text";
import { listLines } from "@/lib/lines/lines/list-lines";
import type { Context } from "@/lib/platform/context";
import { baseUrl } from "@/lib/platform/env";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";

export const metadata = { title: "Attachments" };

const KINDS = Object.entries(FAMILIES).map(([value, { label }]) => ({ value, label }));

function toOptions(labels: Readonly<Record<string, string>>): FilterOption[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

async function filtersOf(ctx: Context): Promise<Filter[]> {
  const { phone_numbers: lines } = await listLines(ctx);
  const select = (name: string, label: string, all: string, options: FilterOption[]): Filter => ({
    type: "select",
    name,
    label,
    all,
    options,
  });
  return [
    {
      type: "search",
      name: "q",
      label: "Search by file name, file ID or message ID",
      placeholder: "File name, file ID or message ID",
    },
    select("family", "Type", "All types", KINDS),
    select("status", "Status", "All statuses", recordOptions("file")),
    select("direction", "Direction", "All directions", toOptions(DIRECTIONS)),
    select("tier", "Kept as", "All files", toOptions(TIERS)),
    select("line", "Line", "All lines", lineChoices(lines, "phone_number")),
  ];
}

export default async function AttachmentsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { ctx, may } = await requireAccount("view_chats");
  const [asked, filters, { totals }] = await Promise.all([
    searchParams,
    filtersOf(ctx),
    totalAttachments(ctx),
  ]);
  const loaded = await loadSearch(ctx, asked, {
    api: "/api/attachments",
    query: ListAttachmentViews.query,
    filters,
    search: (query) => listAttachmentViews(ctx, { query }),
  });
  return (
    <ListPage
      title="Attachments"
      description={
        <>
          Files in this account: received, sent and uploaded for sending.{" "}
          <Link href="/docs/guides/attachments" className="underline underline-offset-4">
            How long files are kept
          </Link>
        </>
      }
    >
      <AttachmentList found={loaded} totals={totals} mayUpload={may("send_messages")} baseUrl={baseUrl()} />
    </ListPage>
  );
}
