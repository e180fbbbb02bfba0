import Link from "next/link";
import type { ReactNode } from "react";
import { PageHeader } from "@/components/data/page-header";
import { StatusBadge, type StatusOf } from "@/components/data/status-badge";

export const metadata = { title: "Line reputation" };

const link = "underline underline-offset-4";

export default function LineReputationPage() {
  return (
    <article className="flex flex-col gap-8">
      <PageHeader
        title="Line reputation"
        description="Each line has a reputation that summarizes the health of its chats. A line with a poor reputation can be flagged, and a flagged line can't send messages."
        breadcrumbs={[{ label: "Docs", href: "/docs" }]}
      />
      <Status id="healthy" status="HEALTHY" title="Healthy">
        <p>Few of the line&apos;s chats are critical or opted out. No action is needed.</p>
      </Status>
      <Status id="at_risk" status="AT_RISK" title="At risk">
        <p>
          A growing share of the line&apos;s chats is unhealthy. Read{" "}
          <Link href="/docs/guides/chats/chat-health" className={link}>
            Chat health
          </Link>
          , stop messaging people who don't reply, and request a reputation audit with{" "}
          <code className="font-mono text-xs">
            POST /v3/phone_numbers/&#123;phoneNumber&#125;/reputation_audit
          </code>
          .
        </p>
      </Status>
      <Status id="critical" status="CRITICAL" title="Critical">
        <p>
          The line is flagged, or close to it. A line is flagged by its transport, by an operator, or
          automatically when it has at least 20 chats and at least 30% of them are critical or opted out.
        </p>
        <p>
          Every write on a flagged line except its forwarding number fails with{" "}
          <Link href="/docs/error/codes/2xxx/2027" className={link}>
            2027
          </Link>
          . Reads still work. Send from another line until an operator clears the flag.
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
