"use client";

import { colorOf } from "@/components/charts/meaning-colors";
import { StatusBadge } from "@/components/data/status-badge";
import { describeReputation } from "@/components/lines/audits/describe-reputation";
import { ChatHealthBar, ChatHealthLinks } from "@/components/lines/chat-health-bar";
import { DayChart } from "@/components/lines/day-chart";
import { LineCapacityCard } from "@/components/lines/line-capacity";
import { LineCardLink } from "@/components/lines/line-card-link";
import { LineSettingsForm } from "@/components/lines/line-settings-form";
import { useLine } from "@/components/lines/use-line";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import type { LineDetails } from "@/lib/lines/overview/get-line-view";

const VOLUME = [
  { key: "sent", label: "Sent", color: colorOf("sent") },
  { key: "received", label: "Received", color: colorOf("received") },
];
const NEW_CHATS = [{ key: "new_chats", label: "New conversations", color: colorOf("other") }];

type LineOverviewProps = { initial: LineDetails; mayManage: boolean };

/** A line's reputation, volume and settings. */
export function LineOverview({ initial, mayManage }: LineOverviewProps) {
  const { data: line } = useLine(initial);
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <ReputationCard line={line} />
      <LineCapacityCard line={line} />
      <div className="grid gap-6 lg:grid-cols-2">
        <Card>
          <CardHeader>
            <CardTitle>Volume</CardTitle>
            <CardDescription>Messages per day in the last 30 days (UTC).</CardDescription>
          </CardHeader>
          <CardContent>
            <DayChart
              label="Messages per day"
              days={line.days}
              series={VOLUME}
              countOf={{ sent: (day) => day.sent, received: (day) => day.received }}
            />
          </CardContent>
        </Card>
        <Card>
          <CardHeader>
            <CardTitle>New conversations</CardTitle>
            <CardDescription>Chats started per day. Stay below 50 new chats per day.</CardDescription>
          </CardHeader>
          <CardContent>
            <DayChart
              label="New conversations per day"
              days={line.days}
              series={NEW_CHATS}
              countOf={{ new_chats: (day) => day.new_chats }}
            />
          </CardContent>
        </Card>
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <LineSettingsForm line={line} mayManage={mayManage} />
        <LineCardLink line={line} mayManage={mayManage} />
      </div>
    </div>
  );
}

function ReputationCard({ line }: { line: LineDetails }) {
  return (
    <Card>
      <CardHeader>
        <CardTitle className="flex flex-wrap items-center gap-2">
          Reputation <StatusBadge kind="health" value={line.reputation.status} />
        </CardTitle>
        <CardDescription>
          {describeReputation(line)}.{" "}
          <a className="underline underline-offset-4" href={line.reputation.doc_url}>
            How reputation works
          </a>
        </CardDescription>
      </CardHeader>
      <CardContent className="flex flex-col gap-4">
        <ChatHealthBar chats={line.chats} className="w-full" />
        <ChatHealthLinks chats={line.chats} lineId={line.id} />
      </CardContent>
    </Card>
  );
}
