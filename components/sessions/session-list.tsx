"use client";

import { useQueryClient } from "@tanstack/react-query";
import { MonitorSmartphone } from "lucide-react";
import type { DataColumn } from "@/components/data/data-table";
import { ConfirmAction } from "@/components/data/dialogs/confirm-action";
import { Timestamp } from "@/components/data/time/timestamp";
import { ListScreen } from "@/components/list/list-screen";
import { useSender } from "@/components/shell/rights";
import { Badge } from "@/components/ui/badge";
import { ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { LoadedSearch } from "@/lib/client/filters";
import type { ListedSession } from "@/lib/identity/sessions/list-sessions";
import type { ListTotal } from "@/lib/platform/lists/total-of";

type SessionPage = { sessions: ListedSession[]; next_cursor: string | null; total: ListTotal };

const sessionsKey = ["/api/sessions"];

const columns: DataColumn<ListedSession>[] = [
  {
    key: "device",
    header: "Device",
    cell: ({ device, is_current }) => (
      <span className="flex items-center gap-2 max-sm:justify-end">
        <span className="font-medium">{device}</span>
        {is_current && <Badge variant="neutral">This browser</Badge>}
      </span>
    ),
  },
  {
    key: "address",
    header: "IP address",
    cell: ({ address }) => <span className="font-mono text-xs">{address ?? "Unknown"}</span>,
  },
  { key: "signed-in", header: "Signed in", cell: ({ created_at }) => <Timestamp value={created_at} /> },
  { key: "last-seen", header: "Last seen", cell: ({ last_seen_at }) => <Timestamp value={last_seen_at} /> },
  {
    key: "actions",
    header: "Actions",
    hideHeader: true,
    className: "sm:text-right",
    cell: (session) => !session.is_current && <EndSession session={session} />,
  },
];

/** The user's sessions, with actions that end one session or all of them. */
export function SessionList({ found }: { found?: LoadedSearch<SessionPage> }) {
  const sender = useSender();
  return (
    <section className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold text-base">Sessions</h2>
        <ConfirmAction
          label="Sign out everywhere"
          icon={null}
          title="Sign out everywhere?"
          description="All of your sessions end, including this one. You must sign in again."
          confirm="Sign out everywhere"
          keep="Cancel"
          done="You were signed out everywhere"
          failed="You are still signed in"
          action={() => signOutEverywhere(sender)}
        />
      </div>
      <ListScreen
        found={found}
        label="Sessions"
        noun={{ one: "session", many: "sessions" }}
        rowsOf={(page) => page.sessions}
        columns={columns}
        rowKey={({ id }) => id}
        live={{}}
        empty={{
          icon: MonitorSmartphone,
          title: "No sessions yet",
          description: "Browsers that you sign in with appear here. Sign in to start a session.",
        }}
      />
    </section>
  );
}

async function signOutEverywhere(sender: string): Promise<void> {
  const { signOut } = await import("@/components/shell/sign-out");
  const isOut = await signOut(sender, () => apiFetch("/api/sessions", { method: "DELETE" }));
  if (!isOut) throw new ApiFailure(0, "Send or delete the messages that were not sent, then try again.");
}

function EndSession({ session }: { session: ListedSession }) {
  const queryClient = useQueryClient();
  return (
    <ConfirmAction
      label="End"
      name={`End the session of ${session.device}`}
      icon={null}
      title={`End the session of ${session.device}?`}
      description="The browser is signed out immediately."
      confirm="End session"
      keep="Cancel"
      done="The session was ended"
      failed="The session was not ended"
      action={async () => {
        await apiFetch(`/api/sessions/${session.id}`, { method: "DELETE" });
        await queryClient.invalidateQueries({ queryKey: sessionsKey });
      }}
    />
  );
}
