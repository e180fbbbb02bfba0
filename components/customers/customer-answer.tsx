"use client";

import { CircleCheck } from "lucide-react";
import Link from "next/link";
import { type ChatRights, ReachableHandle } from "@/components/chats/list/no-chat-match";
import { SendBlockerBanner } from "@/components/chats/send-blocker-banner";
import { useSendPlan } from "@/components/composer/use-send-plan";
import { choosePlace } from "@/components/customers/choose-place";
import { Grouped } from "@/components/data/grouped";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import type { Line } from "@/lib/lines/lines/line";
import type { Customer } from "@/lib/runtime/dashboard/get-customer";

/** The content of the dry run: any text shows whether a message would be accepted. */
const ANY_TEXT = { parts: [{ type: "text" as const, value: "Hello" }] };

type CustomerAnswerProps = { customer: Customer; lines: Line[]; rights: ChatRights };

/** Answers in one sentence whether the customer can be messaged, and offers the next step. */
export function CustomerAnswer({ customer, lines, rights }: CustomerAnswerProps) {
  const { handle } = customer;
  const place = choosePlace(customer.places);
  if (place?.chat_id == null) {
    return <ReachableHandle handle={handle} lineId={null} lines={lines} rights={rights} />;
  }
  const refusal = place.sendBlockers.find(({ refuses }) => refuses);
  if (refusal === undefined) {
    return <Reachable handle={handle} chatId={place.chat_id} line={place.line} maySend={rights.send} />;
  }
  return (
    <div className="flex flex-col gap-2">
      <SendBlockerBanner
        sendBlockers={place.sendBlockers}
        handle={handle}
        line={place.line}
        rights={rights}
      />
      {(refusal.reason === "line_flagged" || refusal.reason === "chat_left") && rights.send && (
        <ReachableHandle
          handle={handle}
          lineId={null}
          lines={usableLines(lines, place.line)}
          rights={rights}
        />
      )}
    </div>
  );
}

type ReachableProps = { handle: string; chatId: string; line: string | null; maySend: boolean };

function Reachable({ handle, chatId, line, maySend }: ReachableProps) {
  const { data: plan } = useSendPlan(`/api/chats/${chatId}/messages`, maySend ? ANY_TEXT : null);
  const failed = plan?.checks.find(({ passed }) => passed === false);
  const over = plan?.would_send && plan.service !== null ? ` over ${plan.service}` : "";
  return (
    <Alert role="status" variant={failed === undefined ? "default" : "warning"}>
      <CircleCheck aria-hidden="true" />
      <AlertTitle className="wrap-anywhere tabular-nums">
        <Grouped>
          {failed === undefined
            ? `You can message ${handle} from ${line ?? "your line"}${over}.`
            : `A message to ${handle} would fail: ${failed.message ?? failed.check} (${failed.code ?? "no code"}).`}
        </Grouped>
      </AlertTitle>
      <AlertDescription>
        <Button asChild variant="outline" size="sm">
          <Link href={`/chats/${chatId}`}>Open chat</Link>
        </Button>
      </AlertDescription>
    </Alert>
  );
}

/** The other lines that can send, for a customer whose line can't. */
function usableLines(lines: readonly Line[], without: string | null): Line[] {
  return lines.filter(({ phone_number, status }) => status === "ACTIVE" && phone_number !== without);
}
