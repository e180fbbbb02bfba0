"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Trash2, Users } from "lucide-react";
import { ConfirmAction } from "@/components/data/dialogs/confirm-action";
import { EmptyState } from "@/components/data/empty-state";
import { FailureNote } from "@/components/data/failure-note";
import { TeamButton } from "@/components/teams/team-button";
import { type Teams, teamsKey, useTeams } from "@/components/teams/use-teams";
import { Badge } from "@/components/ui/badge";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { apiFetch } from "@/lib/client/api-fetch";

/** Other admins may change teams meanwhile. */
const REREAD_MS = 20_000;

type TeamManagerProps = { initial: Teams; mayManage: boolean };

/** The account's teams, which chats are assigned to. */
export function TeamManager({ initial, mayManage }: TeamManagerProps) {
  const queryClient = useQueryClient();
  const { data = initial, error, refetch } = useTeams({ initial, refetchInterval: REREAD_MS });
  const refresh = () => queryClient.invalidateQueries({ queryKey: teamsKey });
  return (
    <Card>
      <CardHeader>
        <CardTitle>Teams</CardTitle>
        <CardDescription>
          Chats of this account can be assigned to a team. Its members get a notice and find the chat in My
          teams. Everyone can still read and answer every chat.
        </CardDescription>
      </CardHeader>
      <CardContent className="flex flex-col gap-4">
        <FailureNote title="This list may be out of date" failure={error} onRetry={() => void refetch()} />
        {data.teams.length === 0 && (
          <EmptyState
            icon={Users}
            title="No teams yet"
            description={
              mayManage
                ? "Create a team, such as Billing or Returns, to share chats between several people."
                : "Admins create teams, such as Billing or Returns, to share chats between several people."
            }
          />
        )}
        <ul aria-label="Teams" className="divide-y">
          {data.teams.map((team) => (
            <li key={team.id} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 py-3">
              <div className="flex min-w-0 flex-col gap-1">
                <span className="flex flex-wrap items-center gap-2">
                  <bdi className="wrap-anywhere font-medium">{team.name}</bdi>
                  {team.is_mine && <Badge variant="secondary">You are a member</Badge>}
                </span>
                <span className="text-muted-foreground text-sm tabular-nums">
                  {membersText(team.members)}
                </span>
              </div>
              {mayManage && (
                <span className="flex shrink-0 gap-2">
                  <TeamButton team={team} onDone={refresh} />
                  <ConfirmAction
                    label="Delete"
                    name={`Delete ${team.name}`}
                    icon={<Trash2 aria-hidden="true" />}
                    title={`Delete “${team.name}”?`}
                    description="Its chats are no longer assigned to a team. They stay assigned to the people who look after them."
                    confirm="Delete"
                    keep="Cancel"
                    done="Team deleted"
                    failed="The team could not be deleted"
                    action={() => apiFetch(`/api/teams/${team.id}`, { method: "DELETE" })}
                    onDone={refresh}
                  />
                </span>
              )}
            </li>
          ))}
        </ul>
        {mayManage && <TeamButton team={null} onDone={refresh} />}
      </CardContent>
    </Card>
  );
}

function membersText(count: number): string {
  if (count === 0) return "No members";
  return count === 1 ? "1 member" : `${count} members`;
}
