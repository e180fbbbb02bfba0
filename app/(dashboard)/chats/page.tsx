import { MessagesSquare } from "lucide-react";
import { EmptyState } from "@/components/data/empty-state";

export default function ChatsPage() {
  return (
    <div className="flex flex-1 flex-col justify-center">
      <EmptyState
        icon={MessagesSquare}
        title="No chat selected"
        description="Select a chat from the list to view its messages and their delivery status."
      />
    </div>
  );
}
