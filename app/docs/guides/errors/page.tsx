import Link from "next/link";
import { JsonView } from "@/components/data/json-view";
import { PageHeader } from "@/components/data/page-header";
import { GuideCode, GuideList, GuideSection, guideLink } from "@/components/docs/guide-parts";
import { RETRY_SENTENCES } from "@/lib/platform/error-docs/guidance";

export const metadata = { title: "Errors and retries" };

const EXAMPLE = {
  success: false,
  error: {
    status: 429,
    code: 1007,
    message: "Rate limit exceeded",
    doc_url: "…/docs/error/codes/1xxx/1007/",
    retry_after: 12,
  },
  trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
};

export default function ErrorsGuide() {
  return (
    <article className="flex flex-col gap-8">
      <PageHeader
        title="Errors and retries"
        description="Every error has the same format, a documented code and a trace ID."
        breadcrumbs={[{ label: "Docs", href: "/docs" }]}
      />
      <GuideSection id="form" title="Error format">
        <JsonView value={EXAMPLE} label="example of an error" />
        <GuideList
          rows={[
            ["code", "Use the code in your program. The text of the message can change."],
            ["message", "A description for people, with the action to take if there is one."],
            ["doc_url", "The documentation of the code: its cause, the action to take and whether to retry."],
            [
              "retry_after",
              "The number of seconds to wait before a retry. The Retry-After header has the same value. Present only if waiting helps.",
            ],
            [
              "trace_id",
              "The ID of the request, also sent in the X-Trace-ID header of every response. Use it to find the request on the Requests page of the dashboard. Webhooks that result from the request have the same trace ID.",
            ],
          ]}
        />
        <p>
          <Link href="/docs/error/codes" className={guideLink}>
            All codes
          </Link>
          . The first digit is the category: 1 for the request, 2 for access and state, 3 for the service, 4
          for delivery and 5 for files.
        </p>
      </GuideSection>
      <GuideSection id="retries" title="Retries">
        <GuideList
          rows={[
            ["After a change", RETRY_SENTENCES.after_change],
            ["Later", RETRY_SENTENCES.later],
            ["With exponential backoff", RETRY_SENTENCES.with_backoff],
            ["With a new idempotency key", RETRY_SENTENCES.new_key],
            ["Never", RETRY_SENTENCES.never],
          ]}
        />
        <p>
          The page of each code names one of these policies. <GuideCode>x-should-retry: false</GuideCode>{" "}
          tells the official client not to retry. Trunkline sends this header for permanent conflicts and when
          the client would have to wait for more than one minute.
        </p>
      </GuideSection>
      <GuideSection id="idempotency" title="Idempotency">
        <p>
          If you did not receive the response to a send, the message may still have been accepted. Set an{" "}
          <GuideCode>idempotency_key</GuideCode> on each message (<GuideCode>POST /v3/messages</GuideCode> and
          payments also accept the <GuideCode>Idempotency-Key</GuideCode> header). When you retry with the
          same key, the response contains the original message and nothing is sent again. If the original
          message was deleted or has expired, the retry returns{" "}
          <Link href="/docs/error/codes/2xxx/2002" className={guideLink}>
            2002
          </Link>
          .
        </p>
      </GuideSection>
      <GuideSection id="later" title="Failures after a 202 response">
        <p>
          An accepted message can still fail during delivery. Trunkline then emits{" "}
          <Link href="/docs/guides/webhooks/events/message.failed" className={guideLink}>
            message.failed
          </Link>{" "}
          with one of the same codes. In rare cases a late receipt confirms delivery after all, and{" "}
          <GuideCode>message.delivered</GuideCode> follows.
        </p>
      </GuideSection>
    </article>
  );
}
