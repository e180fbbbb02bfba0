"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { MessageSquareQuote, Trash2 } from "lucide-react";
import { cannedRepliesKey } from "@/components/composer/canned-replies-key";
import { REPLY_VARIABLES } from "@/components/composer/fill-reply";
import { ConfirmAction } from "@/components/data/dialogs/confirm-action";
import { EmptyState } from "@/components/data/empty-state";
import { FailureNote } from "@/components/data/failure-note";
import { ReplyButton } from "@/components/settings/reply-button";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { CannedReply } from "@/lib/messaging/team/canned-replies";

type Replies = { replies: CannedReply[]; agent: string };

type ReplyManagerProps = { initial: Replies; mayManage: boolean };

/** The account's canned replies, which people insert into messages. */
export function ReplyManager({ initial, mayManage }: ReplyManagerProps) {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery<Replies, ApiFailure>({
    queryKey: cannedRepliesKey,
    queryFn: ({ signal }) => apiFetch("/api/canned-replies", { signal }),
    initialData: initial,
  });
  const refresh = () => queryClient.invalidateQueries({ queryKey: cannedRepliesKey });
  return (
    <Card>
      <CardHeader>
        <CardTitle>Canned replies</CardTitle>
        <CardDescription>
          Texts that your team inserts into messages. Variables:{" "}
          {REPLY_VARIABLES.map(({ name, meaning }) => `{{${name}}} is ${meaning}`).join(", ")}.
        </CardDescription>
      </CardHeader>
      <CardContent className="flex flex-col gap-4">
        <FailureNote title="This list may be out of date" failure={error} onRetry={() => void refetch()} />
        {data.replies.length === 0 && (
          <EmptyState
            icon={MessageSquareQuote}
            title="No canned replies yet"
            description="Texts that your team sends often appear here. Create one to insert it into messages."
          />
        )}
        <ul aria-label="Canned replies" className="divide-y">
          {data.replies.map((reply) => (
            <li key={reply.id} className="flex items-start justify-between gap-3 py-3">
              <div className="flex min-w-0 flex-col gap-1">
                <span className="wrap-anywhere font-medium">{reply.title}</span>
                <span className="wrap-anywhere whitespace-pre-wrap text-muted-foreground">{reply.body}</span>
              </div>
              {mayManage && (
                <span className="flex shrink-0 gap-2">
                  <ReplyButton reply={reply} onDone={refresh} />
                  <ConfirmAction
                    label="Delete"
                    name={`Delete ${reply.title}`}
                    icon={<Trash2 aria-hidden="true" />}
                    title={`Delete “${reply.title}”?`}
                    description="Your team can no longer insert it. Sent messages don't change."
                    confirm="Delete"
                    keep="Cancel"
                    done="Canned reply deleted"
                    failed="The canned reply could not be deleted"
                    action={() => apiFetch(`/api/canned-replies/${reply.id}`, { method: "DELETE" })}
                    onDone={refresh}
                  />
                </span>
              )}
            </li>
          ))}
        </ul>
        {mayManage && <ReplyButton reply={null} onDone={refresh} />}
      </CardContent>
    </Card>
  );
}
