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
        description="Each chat has a status that says how welcome its messages are. Many unhealthy chats on one line put the line at risk of being flagged."
        breadcrumbs={[{ label: "Docs", href: "/docs" }]}
      />
      <Status id="healthy" status="HEALTHY" title="Healthy">
        <p>Where every chat begins, and where it returns as soon as the recipient replies.</p>
        <p>Nothing to do. Write what was asked for, and leave time for an answer.</p>
      </Status>
      <Status id="at_risk" status="AT_RISK" title="At risk">
        <p>Four messages in 24 hours went out without a reply.</p>
        <p>
          Slow down and ask something that invites an answer. A single reply makes the chat healthy again,
          whatever its text.
        </p>
      </Status>
      <Status id="critical" status="CRITICAL" title="Critical">
        <p>Eight messages in 24 hours went out without a reply.</p>
        <p>
          Stop writing until the recipient does. A line on which at least 30 % of at least 20 chats are
          critical or opted out is flagged, and then refuses every send with{" "}
          <Link href="/docs/error/codes/2xxx/2027" className={link}>
            2027
          </Link>
          .
        </p>
      </Status>
      <Status id="opted_out" status="OPTED_OUT" title="Opted out">
        <p>
          The recipient sent a whole message of STOP, UNSUBSCRIBE, OPTOUT, CANCEL, END or QUIT in capitals, or
          OPT OUT in any spelling. Groups are never opted out.
        </p>
        <p>
          Every send to this recipient, in any chat and on any line of the account, is refused with{" "}
          <Link href="/docs/error/codes/2xxx/2024" className={link}>
            2024
          </Link>{" "}
          before it is queued. A chat that still reads healthy can be blocked by it: rely on the 2024.
        </p>
        <p>
          It ends by itself when the recipient writes anything else. For a last courtesy message a single send
          may set <code className="font-mono text-xs">override_optout</code> to true.
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
