import {
  Ban,
  CircleCheck,
  CircleX,
  CreditCard,
  Eye,
  type LucideIcon,
  Plus,
  Send,
  ShieldQuestion,
  Timer,
} from "lucide-react";
import Link from "next/link";
import { Timestamp } from "@/components/data/time/timestamp";
import { cn } from "@/lib/cn";

export type PaymentStep = {
  step: keyof typeof looks;
  at: string;
  actor: string | null;
  chat_id: string | null;
  reason: string | null;
};

const looks = {
  created: { label: "Created", icon: Plus },
  sent: { label: "Sent to a chat", icon: Send },
  opened: { label: "Opened by the payer", icon: Eye },
  attempted: { label: "Payment attempted", icon: CreditCard },
  challenged: { label: "Bank requested authentication", icon: ShieldQuestion },
  declined: { label: "Declined", icon: CircleX, tone: "text-destructive-text" },
  paid: { label: "Paid", icon: CircleCheck, tone: "text-success" },
  canceled: { label: "Canceled", icon: Ban },
  expired: { label: "Expired", icon: Timer },
} satisfies Record<string, { label: string; icon: LucideIcon; tone?: string }>;

/** The history of a payment request, oldest first. */
export function PaymentTimeline({ steps }: { steps: PaymentStep[] }) {
  return (
    <section aria-label="Timeline" className="flex flex-col gap-3">
      <h2 className="font-medium text-sm">Timeline</h2>
      <ol className="flex flex-col">
        {steps.map((step, index) => (
          <li key={`${step.step} ${step.at} ${step.chat_id}`} className="relative flex gap-3 pb-4 last:pb-0">
            {index < steps.length - 1 && (
              <span aria-hidden="true" className="absolute top-7 bottom-0 left-3.5 w-px bg-border" />
            )}
            <StepLine {...step} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function StepLine({ step, at, actor, chat_id: chatId, reason }: PaymentStep) {
  const look: { label: string; icon: LucideIcon; tone?: string } = looks[step];
  return (
    <>
      <span className="flex size-7 shrink-0 items-center justify-center rounded-full border bg-card">
        <look.icon aria-hidden="true" className={cn("size-3.5 text-muted-foreground", look.tone)} />
      </span>
      <div className="flex min-w-0 flex-col">
        <span className="text-[0.8125rem] leading-7">
          {chatId === null ? (
            <span className="font-medium">{look.label}</span>
          ) : (
            <Link href={`/chats/${chatId}`} className="font-medium underline underline-offset-4">
              {look.label}
            </Link>
          )}
          {actor && <span className="text-muted-foreground"> by {actor}</span>}
          {reason && <span className="text-muted-foreground">: {reason.replaceAll("_", " ")}</span>}
        </span>
        <Timestamp value={at} className="w-fit text-muted-foreground text-xs" />
      </div>
    </>
  );
}
