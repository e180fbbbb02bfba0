"use client";

import { CircleCheck, CircleSlash } from "lucide-react";
import { describePlan } from "@/components/composer/describe-plan";
import { useSendPlan } from "@/components/composer/use-send-plan";
import { Skeleton } from "@/components/ui/skeleton";

// The text doesn't affect the result of the dry run.
const PROBE = { parts: [{ type: "text" as const, value: "Hello" }] };

/** Dry run of a first message from a line to a handle. Runs only when a line is given. */
export function useCapability(handle: string, line: string | null) {
  return useSendPlan("/api/chats", line === null ? null : PROBE, { from: line, to: [handle] });
}

/** Whether a first message would be sent and over which service, or why not. */
export function CapabilityNotice({ capability }: { capability: ReturnType<typeof useCapability> }) {
  const { data, error, isPending, isPlaceholderData } = capability;
  if (error) return <ResultLine isGood={false} text={`${error.message} (${error.code ?? error.status})`} />;
  if (isPending || isPlaceholderData) return <Skeleton className="h-5 w-48" />;
  const text = describePlan(data, null).map((note) => note.text);
  return (
    <ResultLine
      isGood={data.would_send}
      text={text.join(" ") || "No service can deliver to this recipient."}
    />
  );
}

function ResultLine({ isGood, text }: { isGood: boolean; text: string }) {
  const Icon = isGood ? CircleCheck : CircleSlash;
  return (
    <p role="status" className="wrap-anywhere flex items-start gap-1.5 text-left text-sm">
      <Icon
        className={`mt-0.5 size-4 shrink-0 ${isGood ? "text-success" : "text-warning"}`}
        aria-hidden="true"
      />
      {isGood ? `You can message this recipient. ${text}` : text}
    </p>
  );
}
