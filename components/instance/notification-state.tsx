import { useMutation } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { Fact, FactList } from "@/components/data/fact-list";
import { FailureNote } from "@/components/data/failure-note";
import { Timestamp } from "@/components/data/time/timestamp";
import { toast } from "@/components/data/toast";
import { InstanceSection } from "@/components/instance/instance-section";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { InstanceState } from "@/lib/operations/instance/instance";

type NotificationStateProps = Pick<InstanceState, "mail" | "webhook"> & { mayOperate: boolean };

/** Email and the operator's webhook: whether they are set up, and how they work. */
export function NotificationState({ mail, webhook, mayOperate }: NotificationStateProps) {
  const test = useMutation<{ recipient: string }, ApiFailure>({
    mutationFn: () => apiFetch("/api/instance/test-mail", { method: "POST" }),
    onSuccess: ({ recipient }) => toast.success(`A test email to ${recipient} is on its way`),
  });
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <InstanceSection
        title="Email"
        actions={
          mail.is_on &&
          mayOperate && (
            <Button variant="outline" size="sm" disabled={test.isPending} onClick={() => test.mutate()}>
              {test.isPending ? <Spinner /> : <Send />}
              Send test email
            </Button>
          )
        }
      >
        <FailureNote title="The test email was not sent" failure={test.error} />
        <FactList className="sm:grid-cols-1">
          <Fact name="Status">{mail.is_on ? "On" : "Off. Set SMTP_URL and MAIL_FROM."}</Fact>
          {mail.is_on && <Fact name="Sender">{mail.sender}</Fact>}
          {mail.is_on && <OutboxState outbox={mail} />}
        </FactList>
      </InstanceSection>
      <InstanceSection title="Alert webhook">
        <FactList className="sm:grid-cols-1">
          <Fact name="Status">{webhook.is_on ? "On" : "Off. Set OPERATOR_WEBHOOK_URL."}</Fact>
          {webhook.is_on && <OutboxState outbox={webhook} />}
        </FactList>
      </InstanceSection>
    </div>
  );
}

function OutboxState({ outbox }: { outbox: InstanceState["webhook"] }) {
  const { pending, last_sent_at, last_error } = outbox;
  return (
    <>
      <Fact name="Pending">{pending}</Fact>
      <Fact name="Last sent">{last_sent_at === null ? "Never" : <Timestamp value={last_sent_at} />}</Fact>
      <Fact name="Last error">
        {last_error === null ? (
          "None"
        ) : (
          <span className="wrap-anywhere">
            <span className="text-destructive-text">{last_error.text}</span>{" "}
            <span className="text-muted-foreground">
              {last_error.given_up ? "Given up." : "Will be retried."} <Timestamp value={last_error.at} />
            </span>
          </span>
        )}
      </Fact>
    </>
  );
}
