"use client";

import { CircleCheck, CircleSlash } from "lucide-react";
import { describePlan } from "@/components/composer/describe-plan";
import { useSendPlan } from "@/components/composer/use-send-plan";
import { Skeleton } from "@/components/ui/skeleton";

// Any text: what it says changes nothing of whether it may go.
const PROBE = { parts: [{ type: "text" as const, value: "Hello" }] };

/** What would become of a first message from a line to somebody; asked only while there is a line. */
export function useReach(handle: string, line: string | null) {
  return useSendPlan("/api/chats", line === null ? null : PROBE, { from: line, to: [handle] });
}

/** Whether a first message would go, over what, or why not. */
export function ReachVerdict({ reach }: { reach: ReturnType<typeof useReach> }) {
  const { data, error, isPending, isPlaceholderData } = reach;
  if (error) return <Verdict isGood={false} text={`${error.message} (${error.code ?? error.status})`} />;
  if (isPending || isPlaceholderData) return <Skeleton className="h-5 w-48" />;
  const text = describePlan(data, null).map((note) => note.text);
  return <Verdict isGood={data.would_send} text={text.join(" ") || "Nothing reaches them."} />;
}

function Verdict({ isGood, text }: { isGood: boolean; text: string }) {
  const Icon = isGood ? CircleCheck : CircleSlash;
  return (
    <p role="status" className="wrap-anywhere flex items-start gap-1.5 text-left text-sm">
      <Icon
        className={`mt-0.5 size-4 shrink-0 ${isGood ? "text-success" : "text-warning"}`}
        aria-hidden="true"
      />
      {isGood ? `They can be messaged. ${text}` : text}
    </p>
  );
}
