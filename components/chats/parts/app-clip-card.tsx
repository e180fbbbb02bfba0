import { AppWindow } from "lucide-react";
import { ContentCard } from "@/components/chats/parts/content-card";
import type { MessageView } from "@/lib/messaging/messages/message-view";

type AppClipPart = Extract<MessageView["parts"][number], { type: "app_clip" }>;

/** An App Clip card: title, description and link. */
export function AppClipCard({ part }: { part: AppClipPart }) {
  return (
    <ContentCard icon={AppWindow} name="App Clip" image={part.image_url ?? null} url={part.value}>
      <p className="font-medium">{part.title ?? "App Clip"}</p>
      {part.description !== undefined && <p className="text-muted-foreground text-xs">{part.description}</p>}
    </ContentCard>
  );
}
