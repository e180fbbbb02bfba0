import { LayoutGrid } from "lucide-react";
import { ContentCard } from "@/components/chats/parts/content-card";
import type { MessageView } from "@/lib/messaging/messages/message-view";

type AppCardPart = Extract<MessageView["parts"][number], { type: "imessage_app" }>;

/** A card of an iMessage app. `experience` is the experience that created it, if any. */
export function AppCard({ part, experience }: { part: AppCardPart; experience: string | null }) {
  const { app, layout, url, fallback_text } = part;
  const caption = layout.caption || fallback_text || app.name;
  return (
    <ContentCard
      icon={LayoutGrid}
      name={experience === null ? app.name : `${app.name} · ${experience}`}
      image={layout.image_url ?? null}
      imageText={[layout.image_title, layout.image_subtitle].filter(Boolean).join(" · ")}
      url={url}
    >
      <Captions left={caption} right={layout.trailing_caption} className="font-medium" />
      <Captions
        left={layout.subcaption}
        right={layout.trailing_subcaption}
        className="text-muted-foreground text-xs"
      />
    </ContentCard>
  );
}

function Captions({ left, right, className }: { left?: string; right?: string; className: string }) {
  if (!left && !right) return null;
  return (
    <div className="flex justify-between gap-3">
      <span className={className}>{left}</span>
      {right && <span className={`text-right ${className}`}>{right}</span>}
    </div>
  );
}
