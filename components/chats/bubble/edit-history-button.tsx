"use client";

import type { EditHistoryProps } from "@/components/chats/bubble/edit-history";
import { LazyOpen } from "@/components/data/lazy-open";

const load = async () => (await import("@/components/chats/bubble/edit-history")).EditHistory;

/** An “Edited” label that opens the previous versions of a message. */
export function EditHistoryButton(props: EditHistoryProps) {
  if (props.edits.length === 0) return null;
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={props}
      trigger={
        <button type="button" className="min-h-6 rounded-sm underline decoration-dotted underline-offset-2">
          Edited
        </button>
      }
    />
  );
}
