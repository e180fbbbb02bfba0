import { CirclePause } from "lucide-react";
import Link from "next/link";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { ResumeChats } from "@/components/webhooks/resume-chats";
import type { WebhookSubscriptionView } from "@/lib/webhooks/endpoints/webhook-subscription-view";

const MAX_COUNTED = 1000;

type StoppedChatsProps = { endpoint: WebhookSubscriptionView; mayManage: boolean };

/** A notice while deliveries have stopped chats, with actions that resume all of them. */
export function StoppedChats({ endpoint, mayManage }: StoppedChatsProps) {
  const { id, stopped_chats: count } = endpoint;
  return (
    <Alert variant="warning">
      <CirclePause aria-hidden="true" />
      <AlertTitle>{titleOf(count)}</AlertTitle>
      <AlertDescription className="text-foreground">
        <p>
          A delivery permanently failed, and the later events of its chat wait. Nothing is lost.{" "}
          <Link href={`/webhooks/${id}?status=stopped`} className="underline underline-offset-4">
            Show the failed deliveries
          </Link>
        </p>
        {mayManage && (
          <div className="mt-1.5">
            <ResumeChats endpointId={id} about="the failed deliveries of all stopped chats" />
          </div>
        )}
      </AlertDescription>
    </Alert>
  );
}

function titleOf(count: number): string {
  if (count === 1) return "1 chat is stopped";
  return `${count === MAX_COUNTED ? "At least " : ""}${count.toLocaleString("en")} chats are stopped`;
}
