import Link from "next/link";
import { type AttachmentFilter, readAttachmentFilter } from "@/components/attachments/attachment-filter";
import { AttachmentFilters } from "@/components/attachments/attachment-filters";
import { AttachmentsView } from "@/components/attachments/attachments-view";
import { ErrorNote } from "@/components/data/error-note";
import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { SearchAttachments, searchAttachments } from "@/lib/attachments/search-attachments";
import { totalAttachments } from "@/lib/attachments/total-attachments";
import { listLines } from "@/lib/lines/lines/list-lines";
import type { Context } from "@/lib/platform/context";
import { baseUrl } from "@/lib/platform/env";
import { ApiError } from "@/lib/platform/errors";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Attachments" };

type AttachmentsPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function AttachmentsPage({ searchParams }: AttachmentsPageProps) {
  const { account, ctx, may } = await requireAccount("view_chats");
  const filter = readAttachmentFilter(await searchParams);
  const [found, totals, { phone_numbers }] = await Promise.all([
    search(ctx, filter),
    count(ctx),
    listLines(ctx),
  ]);

  return (
    <PageBody className="max-w-none">
      <PageHeader
        title="Attachments"
        description={
          <>
            Every file of this account: what people sent, what you sent and what waits to be sent.{" "}
            <Link href="/docs/guides/attachments" className="underline underline-offset-4">
              How long they are kept
            </Link>
          </>
        }
      />
      <AttachmentFilters filter={filter} lines={phone_numbers.map((line) => line.phone_number)} />
      {found instanceof ApiError ? (
        <ErrorNote title="This search is not possible" code={found.row.code}>
          {found.message}
        </ErrorNote>
      ) : (
        <AttachmentsView
          key={`${account.id} ${JSON.stringify(filter)}`}
          initial={found}
          totals={totals}
          filter={filter}
          baseUrl={baseUrl()}
          mayUpload={may("send_messages")}
        />
      )}
    </PageBody>
  );
}

// Whoever edits the address may ask for what cannot be: the page says so, and its filters stay.
async function search(ctx: Context, filter: AttachmentFilter) {
  const query = SearchAttachments.query.safeParse(filter);
  if (!query.success) return new ApiError("parameter_invalid", query.error.issues[0]?.message);
  return searchAttachments(ctx, { query: query.data }).catch(toRefusal);
}

async function count(ctx: Context) {
  const counted = await totalAttachments(ctx).catch(toRefusal);
  return counted instanceof ApiError ? null : counted.totals;
}

function toRefusal(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}
