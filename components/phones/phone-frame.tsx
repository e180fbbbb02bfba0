import { Plane } from "lucide-react";
import type { ReactNode } from "react";
import { Timestamp } from "@/components/data/time/timestamp";
import { cn } from "@/lib/cn";
import type { Phone } from "@/lib/simulator/phone";

type PhoneFrameProps = { phone: Phone; now: string; isActive: boolean; children: ReactNode };

/** The drawn device around a screen: its body, its status bar and its home bar. At 390 px the screen fills the page. */
export function PhoneFrame({ phone, now, isActive, children }: PhoneFrameProps) {
  return (
    <div
      className={cn(
        "relative mx-auto flex h-[calc(100dvh-10rem)] min-h-120 w-full flex-col sm:h-164 sm:w-76",
        "sm:rounded-[2.75rem] sm:bg-linear-to-br sm:from-zinc-700 sm:via-zinc-900 sm:to-zinc-800 sm:p-2.5 sm:shadow-xl",
        "sm:ring-1 sm:ring-black/60 dark:sm:ring-white/15",
        isActive && "sm:outline-2 sm:outline-brand sm:outline-offset-3",
      )}
    >
      <SideButtons />
      <div className="relative isolate flex min-h-0 flex-1 flex-col overflow-hidden rounded-2xl border bg-background sm:rounded-[2.15rem] sm:border-black">
        <StatusBar phone={phone} now={now} />
        {children}
        <div aria-hidden="true" className="hidden h-5 shrink-0 items-center justify-center sm:flex">
          <span className="h-1 w-28 rounded-full bg-foreground/25" />
        </div>
      </div>
    </div>
  );
}

function SideButtons() {
  return (
    <span aria-hidden="true" className="hidden sm:block">
      <span className="-left-0.5 absolute top-28 h-9 w-0.5 rounded-l bg-zinc-600" />
      <span className="-left-0.5 absolute top-40 h-9 w-0.5 rounded-l bg-zinc-600" />
      <span className="-right-0.5 absolute top-36 h-14 w-0.5 rounded-r bg-zinc-600" />
    </span>
  );
}

const SERVICES: Record<Phone["platform"], string> = {
  iphone: "iMessage",
  android_rcs: "RCS",
  sms_only: "SMS",
};

function StatusBar({ phone, now }: { phone: Phone; now: string }) {
  const isOffline = phone.connection !== "online";
  return (
    <div className="relative flex h-9 shrink-0 items-center justify-between px-5 pt-1 font-semibold text-xs">
      <Timestamp value={now} format="clock" interactive={false} />
      <span
        aria-hidden="true"
        className="-translate-x-1/2 absolute top-2 left-1/2 hidden size-4 rounded-full bg-black ring-2 ring-zinc-800 sm:block"
      >
        <span className="absolute inset-1 rounded-full bg-zinc-700" />
      </span>
      <span className="flex items-center gap-1.5">
        {isOffline ? (
          <Plane className="size-3.5" aria-label="Airplane mode" />
        ) : (
          <>
            <Signal />
            <span className="font-medium text-[0.6875rem] text-muted-foreground">
              {SERVICES[phone.platform]}
            </span>
          </>
        )}
        <Battery />
      </span>
    </div>
  );
}

function Signal() {
  return (
    <svg viewBox="0 0 14 10" className="h-2.5 w-3.5 fill-current" aria-hidden="true">
      <rect x="0" y="7" width="2.5" height="3" rx="0.6" />
      <rect x="3.8" y="5" width="2.5" height="5" rx="0.6" />
      <rect x="7.6" y="2.5" width="2.5" height="7.5" rx="0.6" />
      <rect x="11.4" y="0" width="2.5" height="10" rx="0.6" />
    </svg>
  );
}

function Battery() {
  return (
    <svg viewBox="0 0 24 12" className="h-3 w-6" aria-hidden="true">
      <rect
        x="0.75"
        y="0.75"
        width="19.5"
        height="10.5"
        rx="3"
        className="fill-none stroke-current opacity-50"
      />
      <rect x="2.5" y="2.5" width="13" height="7" rx="1.6" className="fill-current" />
      <rect x="21.5" y="4" width="1.8" height="4" rx="0.9" className="fill-current opacity-50" />
    </svg>
  );
}
