"use client";

import { CalendarClock } from "lucide-react";
import type { SendLaterProps } from "@/components/composer/later/send-later";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/composer/later/send-later")).SendLater;

/** Opens the choice of a time for the draft, beside Send. */
export function SendLaterButton({ isReady, ...props }: SendLaterProps & { isReady: boolean }) {
  const trigger = (
    <Button variant="ghost" size="icon-sm" aria-label="Send later" title="Send later" disabled={!isReady}>
      <CalendarClock />
    </Button>
  );
  return <LazyOpen popup="dialog" load={load} props={props} trigger={trigger} />;
}
