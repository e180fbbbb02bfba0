import { MessagesSquare } from "lucide-react";
import type { ReactNode } from "react";
import { EmptyState } from "@/components/data/empty-state";

/** Empty state of an account without chats. */
export function NoChatsYet({ action }: { action: ReactNode }) {
  return (
    <EmptyState
      icon={MessagesSquare}
      title="No chats yet"
      description="Chats appear here after you send a first message or someone writes to one of your lines."
      action={action}
    />
  );
}
