import { MessageSquareDashed } from "lucide-react";
import { EmptyState } from "@/components/data/empty-state";

/** Says that a chat has no messages yet. */
export function NoMessages() {
  return (
    <EmptyState
      icon={MessageSquareDashed}
      title="No messages yet"
      description="Messages of this chat appear here. Write the first one below."
    />
  );
}
