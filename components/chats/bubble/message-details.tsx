import Link from "next/link";
import type { ReactNode } from "react";
import { CopyableId } from "@/components/data/copy/copyable-id";
import { StatusBadge } from "@/components/data/status-badge";
import { Timestamp } from "@/components/data/time/timestamp";
import type { MessageView } from "@/lib/messaging/messages/message-view";

/** Status, service, timestamps and ids of a message, as needed for a support request. */
export function MessageDetails({ message }: { message: MessageView }) {
  const { failure } = message;
  const moments: [string, string | null | undefined][] = [
    ["Created", message.created_at],
    ["Sent", message.sent_at],
    ["Delivered", message.delivered_at],
    ["Read", message.read_at],
  ];
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2 text-xs">
      <Row term="Status">
        <StatusBadge kind="delivery" value={message.delivery_status} />
      </Row>
      {failure && (
        <Row term="Failure">
          {failure.reason} <span className="font-mono">({failure.code})</span>
        </Row>
      )}
      {message.service && (
        <Row term="Service">
          <StatusBadge kind="service" value={message.service} />
        </Row>
      )}
      {moments.map(
        ([term, value]) =>
          value && (
            <Row key={term} term={term}>
              <Timestamp value={value} format="moment" interactive={false} />
            </Row>
          ),
      )}
      <Row term="Message">
        <CopyableId value={message.id} label="message ID" />
      </Row>
      <Row term="Trace">
        <CopyableId value={message.trace_id} label="trace ID" />
      </Row>
      <Row term="History">
        <Link href={`/traces/${message.id}`} className="underline underline-offset-4">
          Trace with every webhook attempt
        </Link>
      </Row>
    </dl>
  );
}

function Row({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted-foreground">{term}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}
