import { notFound } from "next/navigation";
import { TraceScreen } from "@/components/traces/trace-screen";
import { ApiError } from "@/lib/platform/errors/errors";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { GetTrace, getTrace } from "@/lib/runtime/dashboard/get-trace";

/** As much of a trace ID as tells tabs apart. */
const SHOWN_ID = 8;

type TracePageProps = { params: Promise<{ traceId: string }> };

export async function generateMetadata({ params }: TracePageProps) {
  return { title: `Trace ${(await params).traceId.slice(0, SHOWN_ID)}` };
}

export default async function TracePage({ params }: TracePageProps) {
  const { account, ctx } = await requireAccount("view_events");
  const asked = GetTrace.params.safeParse(await params);
  if (!asked.success) notFound();
  const trace = await getTrace(ctx, { params: asked.data }).catch((error: unknown) => {
    if (error instanceof ApiError) notFound();
    throw error;
  });
  const { traceId } = asked.data;
  return <TraceScreen key={`${account.id} ${traceId}`} id={traceId} initial={trace} />;
}
