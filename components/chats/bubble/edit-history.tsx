import type { LoadedPopup } from "@/components/data/lazy-open";
import { Timestamp } from "@/components/data/time/timestamp";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import type { MessageView } from "@/lib/messaging/messages/message-view";

export type EditHistoryProps = Pick<MessageView, "edits">;

/** The previous versions of a message. */
export function EditHistory({ edits, trigger }: EditHistoryProps & LoadedPopup) {
  return (
    <Popover defaultOpen>
      <PopoverTrigger asChild>{trigger}</PopoverTrigger>
      <PopoverContent aria-label="Previous versions" className="max-h-80 overflow-y-auto">
        <h3 className="pb-2 font-medium text-sm">Previous versions</h3>
        <ol className="flex flex-col gap-3">
          {edits.map(({ part_index, text, edited_at }) => (
            <li key={`${part_index} ${edited_at}`} className="text-sm">
              <p className="wrap-anywhere whitespace-pre-wrap">{text}</p>
              <p className="text-muted-foreground text-xs">
                until <Timestamp value={edited_at} format="moment" interactive={false} />
              </p>
            </li>
          ))}
        </ol>
      </PopoverContent>
    </Popover>
  );
}
