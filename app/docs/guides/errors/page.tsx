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
        description="Every refusal has the same form, a code with a page of its own, and a trace id."
        breadcrumbs={[{ label: "Docs", href: "/docs" }]}
      />
      <GuideSection id="form" title="The form">
        <JsonView value={EXAMPLE} label="example of an error" />
        <GuideList
          rows={[
            ["code", "Decide by this, not by the message: its words may change."],
            ["message", "For people. It says what to do where there is something to do."],
            ["doc_url", "The page of the code: what it means, what to do, whether to try again."],
            ["retry_after", "Seconds, as the header Retry-After; where waiting helps."],
            [
              "trace_id",
              "Also X-Trace-ID, on successes too. The dashboard's Requests page finds the request by it, webhooks of what it caused carry it.",
            ],
          ]}
        />
        <p>
          <Link href="/docs/error/codes" className={guideLink}>
            All codes
          </Link>
          . The first digit is the kind: 1 the request, 2 access and state, 3 this service, 4 delivery, 5
          files.
        </p>
      </GuideSection>
      <GuideSection id="retries" title="Whether to try again">
        <GuideList
          rows={[
            ["Change it first", RETRY_SENTENCES.after_change],
            ["Later", RETRY_SENTENCES.later],
            ["With growing waits", RETRY_SENTENCES.with_backoff],
            ["With a new key", RETRY_SENTENCES.new_key],
            ["Never", RETRY_SENTENCES.never],
          ]}
        />
        <p>
          The page of each code names one of these. <GuideCode>x-should-retry: false</GuideCode> tells the
          official client not to: on conflicts that stay, and where it would have to sleep for more than a
          minute.
        </p>
      </GuideSection>
      <GuideSection id="idempotency" title="Sending once, not twice">
        <p>
          A send whose answer was lost may have been accepted. Give each message an{" "}
          <GuideCode>idempotency_key</GuideCode> (<GuideCode>POST /v3/messages</GuideCode> and payments also
          take the header <GuideCode>Idempotency-Key</GuideCode>) and repeat it with the same one: the answer
          is the first message, and nothing is sent again. Of a message that was deleted or has expired the
          repeat is{" "}
          <Link href="/docs/error/codes/2xxx/2002" className={guideLink}>
            2002
          </Link>
          .
        </p>
      </GuideSection>
      <GuideSection id="later" title="What fails after the 202">
        <p>
          A message that was accepted may still fail on its way. That is told by{" "}
          <Link href="/docs/guides/webhooks/events/message.failed" className={guideLink}>
            message.failed
          </Link>{" "}
          with a code of the same table. Rarely a late receipt proves the opposite:{" "}
          <GuideCode>message.delivered</GuideCode> then follows it.
        </p>
      </GuideSection>
    </article>
  );
}
