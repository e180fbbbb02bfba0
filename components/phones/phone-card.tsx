"use client";

import { storedImagePath } from "@/components/chats/parts/stored-file-path";
import { useOpenPhone } from "@/components/phones/phone-context";
import { useOpenInPhone } from "@/components/phones/screen/phone-text";
import { Button } from "@/components/ui/button";
import type { PhoneMessage } from "@/lib/simulator/phones/phone-views";

type Card = Extract<PhoneMessage["parts"][number], { type: "imessage_app" }>;

/** A card of an app. A phone without the app shows its static content and offers the app instead. */
export function PhoneCard({ part, experience }: { part: Card; experience: string | null }) {
  const { hasApps } = useOpenPhone();
  const open = useOpenInPhone(part.url);
  const { app, layout, fallback_text } = part;
  const image = storedImagePath(layout.image_url);
  const caption = layout.caption || fallback_text || app.name;
  return (
    <section
      aria-label={`Card of ${app.name}`}
      className="w-60 max-w-full overflow-hidden rounded-2xl border bg-card text-card-foreground shadow-xs"
    >
      {image !== null && (
        // biome-ignore lint/performance/noImgElement: a file behind a signed URL
        <img src={image} alt={layout.image_title ?? ""} className="max-h-40 w-full object-cover" />
      )}
      <div className="flex flex-col gap-0.5 px-3 py-2.5 text-sm">
        <CaptionRow left={caption} right={layout.trailing_caption} className="font-semibold" />
        <CaptionRow
          left={layout.subcaption}
          right={layout.trailing_subcaption}
          className="text-muted-foreground text-xs"
        />
      </div>
      {hasApps ? (
        <div className="border-t px-3 py-2">
          {open === null ? (
            <p className="text-center text-muted-foreground text-xs">Opens in {app.name}</p>
          ) : (
            <Button size="sm" className="w-full" onClick={open}>
              {experience?.includes("approve") ? "Review" : "Open"}
            </Button>
          )}
        </div>
      ) : (
        <p className="border-t bg-muted px-3 py-2 text-center text-muted-foreground text-xs">
          {app.name} is not installed
        </p>
      )}
    </section>
  );
}

function CaptionRow({ left, right, className }: { left?: string; right?: string; className: string }) {
  if (!left && !right) return null;
  return (
    <span className={`flex justify-between gap-3 ${className}`}>
      <span>{left}</span>
      {right && <span className="text-right">{right}</span>}
    </span>
  );
}
