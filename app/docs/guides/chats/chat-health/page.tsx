import Link from "next/link";
import type { ReactNode } from "react";
import { PageHeader } from "@/components/data/page-header";
import { StatusBadge, type StatusOf } from "@/components/data/status-badge";

export const metadata = { title: "Chat health" };

const link = "underline underline-offset-4";

export default function ChatHealthPage() {
  return (
    <article className="flex flex-col gap-8">
      <PageHeader
        title="Chat health"
        description="Each chat has a health status that reflects how recipients respond. Too many unhealthy chats can cause a line to be flagged."
        breadcrumbs={[{ label: "Docs", href: "/docs" }]}
      />
      <Status id="healthy" status="HEALTHY" title="Healthy">
        <p>Every chat starts as healthy and becomes healthy again when the recipient replies.</p>
        <p>No action is needed. Send messages that the recipient expects, and allow time for a reply.</p>
      </Status>
      <Status id="at_risk" status="AT_RISK" title="At risk">
        <p>The recipient did not reply to four messages in 24 hours.</p>
        <p>
          Send fewer messages and ask a question that invites a reply. Any reply makes the chat healthy again.
        </p>
      </Status>
      <Status id="critical" status="CRITICAL" title="Critical">
        <p>The recipient did not reply to eight messages in 24 hours.</p>
        <p>
          Stop sending until the recipient replies. A line with at least 20 chats is flagged when at least 30%
          of its chats are critical or opted out. Every send from a flagged line then fails with{" "}
          <Link href="/docs/error/codes/2xxx/2027" className={link}>
            2027
          </Link>
          .
        </p>
      </Status>
      <Status id="opted_out" status="OPTED_OUT" title="Opted out">
        <p>
          The recipient sent a message that consists only of STOP, UNSUBSCRIBE, OPTOUT, CANCEL, END or QUIT in
          capital letters, or of OPT OUT in any capitalization. Group chats are never opted out.
        </p>
        <p>
          Every send to this recipient, in any chat and from any line of the account, fails with{" "}
          <Link href="/docs/error/codes/2xxx/2024" className={link}>
            2024
          </Link>{" "}
          before the message is queued. Another chat with the same recipient may still show a healthy status.
          Rely on error 2024 instead of the chat's status.
        </p>
        <p>
          The opt-out ends when the recipient sends any other message. To send one final courtesy message, set{" "}
          <code className="font-mono text-xs">override_optout</code> to true.
        </p>
      </Status>
    </article>
  );
}

type StatusProps = { id: string; status: StatusOf<"health">; title: string; children: ReactNode };

function Status({ id, status, title, children }: StatusProps) {
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2 border-t pt-6">
      <div className="flex items-center gap-3">
        <h2 id={id} className="font-semibold text-lg tracking-tight">
          {title}
        </h2>
        <StatusBadge kind="health" value={status} />
      </div>
      <div className="flex flex-col gap-2 text-pretty leading-relaxed">{children}</div>
    </section>
  );
}
