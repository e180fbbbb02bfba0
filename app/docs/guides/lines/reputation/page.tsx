import Link from "next/link";
import { PageHeader } from "@/components/data/page-header";
import { GuideCode, GuideStatus, guideLink } from "@/components/docs/guide-parts";

export const metadata = { title: "Line reputation" };

export default function LineReputationPage() {
  return (
    <article className="flex flex-col gap-8">
      <PageHeader
        title="Line reputation"
        description="Each line has a reputation that summarizes the health of its chats. A line with a poor reputation can be flagged, and a flagged line can't send messages."
        breadcrumbs={[{ label: "Docs", href: "/docs" }]}
      />
      <GuideStatus id="healthy" status="HEALTHY" title="Healthy">
        <p>Few of the line&apos;s chats are critical or opted out. No action is needed.</p>
      </GuideStatus>
      <GuideStatus id="at_risk" status="AT_RISK" title="At risk">
        <p>
          A growing share of the line&apos;s chats is unhealthy. Read{" "}
          <Link href="/docs/guides/chats/chat-health" className={guideLink}>
            Chat health
          </Link>
          , stop messaging people who don't reply, and request a reputation audit with{" "}
          <GuideCode>POST /v3/phone_numbers/&#123;phoneNumber&#125;/reputation_audit</GuideCode>.
        </p>
      </GuideStatus>
      <GuideStatus id="critical" status="CRITICAL" title="Critical">
        <p>
          The line is flagged, or close to it. A line is flagged by its transport, by an operator, or
          automatically when it has at least 20 chats and at least 30% of them are critical or opted out.
        </p>
        <p>
          Every write on a flagged line except its forwarding number fails with{" "}
          <Link href="/docs/error/codes/2xxx/2027" className={guideLink}>
            2027
          </Link>
          . Reads still work. Send from another line until an operator clears the flag.
        </p>
      </GuideStatus>
    </article>
  );
}
