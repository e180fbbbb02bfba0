"use client";

import { Radio, Smartphone } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { type ReactNode, useRef, useState } from "react";
import { CodeTabs } from "@/components/data/copy/code-tabs";
import { EmptyState } from "@/components/data/empty-state";
import { PageHeader } from "@/components/data/page-header";
import { useNow } from "@/components/data/time/clock";
import { untilLoaded } from "@/components/data/until-loaded";
import { EventRow } from "@/components/events/event-row";
import type { EventLine } from "@/components/events/events-layout";
import { StreamBadge } from "@/components/events/stream-badge";
import { useEventLog } from "@/components/events/use-event-log";
import { PhoneDevice } from "@/components/phones/screen/phone-device";
import { usePhones } from "@/components/phones/use-phones";
import { PageBody } from "@/components/shell/page-body";
import { useMay } from "@/components/shell/rights";
import { sendMessageSnippets } from "@/components/snippets/send-message-snippets";
import type { SnippetContext } from "@/components/snippets/snippet-context";
import type { EventSearchPage } from "@/lib/events/search/list-event-views";
import type { PhoneViews } from "@/lib/simulator/phones/phone-views";

// Loaded when an event is first opened.
const EventDetails = dynamic(
  () => untilLoaded(async () => (await import("@/components/events/event-details")).EventDetails),
  {
    loading: () => null,
  },
);

const EVENTS_SHOWN = 12;

type FirstMessageProps = {
  start: SnippetContext;
  view: PhoneViews;
  events: EventSearchPage;
  /** The `seq` of the newest event when the page was rendered. */
  after: number;
  lines: EventLine[];
  mayManage: boolean;
  now: string;
};

/** The first message in one view: the command, the phone that gets the message, and the events and webhooks. */
export function FirstMessage(props: FirstMessageProps) {
  const { start, view: initial, now, mayManage, lines } = props;
  const [handle] = useState(() => initial.screens[0]?.handle ?? "");
  const { view, refresh } = usePhones([handle], initial);
  const [isActive, setIsActive] = useState(false);
  const may = useMay();
  const maySend = may("send_messages");
  const { nowMs } = useNow();
  const phone = view.phones.find((each) => each.handle === handle);

  return (
    <PageBody className="max-w-7xl">
      <PageHeader
        title="First message"
        description="Send a message with the API, see it on the phone, answer it, and see the webhook."
        breadcrumbs={[{ label: "Phones", href: "/phones" }]}
      />
      <div className="grid min-w-0 items-start gap-8 lg:grid-cols-[19rem_minmax(0,1fr)]">
        {phone === undefined ? (
          <EmptyState
            icon={Smartphone}
            title="No phone yet"
            description="The phone of your first recipient appears here. Add one on the Phones page."
          />
        ) : (
          <PhoneDevice
            phone={phone}
            view={view}
            baseUrl={start.baseUrl}
            now={nowMs === null ? now : new Date(nowMs).toISOString()}
            maySend={maySend}
            isActive={isActive}
            onUse={() => setIsActive(true)}
            onClose={null}
            refresh={refresh}
          />
        )}
        <ol className="flex min-w-0 flex-col gap-6">
          <Step number={1} title="Send a message">
            <p className="text-muted-foreground">
              Run the command with a{" "}
              <Link href="/tokens" className="underline underline-offset-4">
                token
              </Link>{" "}
              in <code className="font-mono text-xs">$TRUNKLINE_TOKEN</code>. The message appears on the
              phone.
            </p>
            <CodeTabs
              label="send a first message"
              snippets={sendMessageSnippets({ ...start, phone: handle || start.phone })}
            />
          </Step>
          <Step number={2} title="Answer on the phone">
            <p className="text-muted-foreground">
              Write in the phone. Your server receives the answer as the webhook message.received.
            </p>
          </Step>
          <Step number={3} title="See the events and their webhooks">
            <Timeline {...props} mayManage={mayManage} lines={lines} />
          </Step>
        </ol>
      </div>
    </PageBody>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <li className="flex min-w-0 flex-col gap-3">
      <h2 className="flex items-center gap-2 font-semibold tracking-tight">
        <span
          aria-hidden="true"
          className="flex size-6 items-center justify-center rounded-full border text-muted-foreground text-xs"
        >
          {number}
        </span>
        {title}
      </h2>
      {children}
    </li>
  );
}

type TimelineProps = Pick<FirstMessageProps, "events" | "after" | "lines" | "mayManage">;

function Timeline({ events, after, lines, mayManage }: TimelineProps) {
  const query = useRef({}).current;
  const { log, status } = useEventLog({ id: "timeline", query, page: events, isLive: true, after });
  const [openSeq, setOpenSeq] = useState<number | null>(null);
  const shown = log.events.slice(0, EVENTS_SHOWN);
  const open = shown.find(({ seq }) => seq === openSeq);
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="overflow-hidden rounded-xl border bg-card shadow-xs">
        <div className="flex items-center justify-between gap-2 border-b px-4 py-2.5">
          <h3 className="font-medium text-sm">Timeline</h3>
          <StreamBadge status={status} />
        </div>
        {shown.length === 0 ? (
          <EmptyState
            icon={Radio}
            title="No events yet"
            description="Events of this account appear here. Send a message."
            className="py-8"
          />
        ) : (
          <ul aria-label="Events" className="@container divide-y">
            {shown.map((event) => (
              <li key={event.seq}>
                <EventRow
                  event={event}
                  line={lines.find(({ id }) => id === event.line_id)?.phone_number}
                  outcomes={false}
                  selected={event.seq === openSeq}
                  onOpen={() => setOpenSeq(event.seq === openSeq ? null : event.seq)}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
      {open && (
        <section aria-label="Event" className="min-w-0 rounded-xl border bg-card p-4 shadow-xs">
          <h3 className="pb-3 font-medium font-mono text-sm">{open.type}</h3>
          <EventDetails key={open.seq} seq={open.seq} listed={open} mayManage={mayManage} />
        </section>
      )}
    </div>
  );
}
