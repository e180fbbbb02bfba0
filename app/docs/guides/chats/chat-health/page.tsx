import Link from "next/link";
import { PageHeader } from "@/components/data/page-header";
import { GuideCode, GuideStatus, guideLink } from "@/components/docs/guide-parts";

export const metadata = { title: "Chat health" };

export default function ChatHealthPage() {
  return (
    <article className="flex flex-col gap-8">
      <PageHeader
        title="Chat health"
        description="Each chat has a health status that reflects how recipients respond. Too many unhealthy chats can cause a line to be flagged."
        breadcrumbs={[{ label: "Docs", href: "/docs" }]}
      />
      <GuideStatus id="healthy" status="HEALTHY" title="Healthy">
        <p>Every chat starts as healthy and becomes healthy again when the recipient replies.</p>
        <p>No action is needed. Send messages that the recipient expects, and allow time for a reply.</p>
      </GuideStatus>
      <GuideStatus id="at_risk" status="AT_RISK" title="At risk">
        <p>The recipient did not reply to four messages in 24 hours.</p>
        <p>
          Send fewer messages and ask a question that invites a reply. Any reply makes the chat healthy again.
        </p>
      </GuideStatus>
      <GuideStatus id="critical" status="CRITICAL" title="Critical">
        <p>The recipient did not reply to eight messages in 24 hours.</p>
        <p>
          Stop sending until the recipient replies. A line with at least 20 chats is flagged when at least 30%
          of its chats are critical or opted out. Every send from a flagged line then fails with{" "}
          <Link href="/docs/error/codes/2xxx/2027" className={guideLink}>
            2027
          </Link>
          .
        </p>
      </GuideStatus>
      <GuideStatus id="opted_out" status="OPTED_OUT" title="Opted out">
        <p>
          The recipient sent a message that consists only of STOP, UNSUBSCRIBE, OPTOUT, CANCEL, END or QUIT in
          capital letters, or of OPT OUT in any capitalization. Group chats are never opted out.
        </p>
        <p>
          Every send to this recipient, in any chat and from any line of the account, fails with{" "}
          <Link href="/docs/error/codes/2xxx/2024" className={guideLink}>
            2024
          </Link>{" "}
          before the message is queued. Another chat with the same recipient may still show a healthy status.
          Rely on error 2024 instead of the chat's status.
        </p>
        <p>
          The opt-out ends when the recipient sends any other message. To send one final courtesy message, set{" "}
          <GuideCode>override_optout</GuideCode> to true.
        </p>
      </GuideStatus>
    </article>
  );
}
