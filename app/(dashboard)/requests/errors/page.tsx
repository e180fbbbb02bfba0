import Link from "next/link";
import { PageHeader } from "@/components/data/page-header";
import { ErrorGroups } from "@/components/requests/error-groups";
import { PeriodLinks } from "@/components/requests/period-links";
import { RequestTabs } from "@/components/requests/request-tabs";
import { PageBody } from "@/components/shell/page-body";
import { isPeriod } from "@/lib/client/filters";
import { listRequestErrors } from "@/lib/request-log/search/list-request-errors";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Errors" };

type ErrorsPageProps = { searchParams: Promise<{ since?: string | string[] }> };

export default async function ErrorsPage({ searchParams }: ErrorsPageProps) {
  const { ctx } = await requireAccount("view_requests");
  const since = [(await searchParams).since].flat()[0];
  const period = isPeriod(since) ? since : "24h";
  const { errors } = await listRequestErrors(ctx, { query: { period } });
  return (
    <PageBody className="max-w-none">
      <PageHeader
        title="Errors"
        description={
          <>
            Failed API requests by error code, and how to fix them.{" "}
            <Link href="/docs/guides/errors" className="underline underline-offset-4">
              Errors and retries
            </Link>
          </>
        }
      />
      <RequestTabs current="errors" />
      <PeriodLinks current={period} />
      <ErrorGroups errors={errors} period={period} />
    </PageBody>
  );
}
