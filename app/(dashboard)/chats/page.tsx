import { MessagesSquare } from "lucide-react";
import { EmptyState } from "@/components/data/empty-state";

export default function ChatsPage() {
  return (
    <div className="flex flex-1 flex-col justify-center">
      <EmptyState
        icon={MessagesSquare}
        title="No chat is open"
        description="Choose one from the list to see its messages, and what became of each."
      />
    </div>
  );
}
