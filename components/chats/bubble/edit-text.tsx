"use client";

import { type KeyboardEvent, useState } from "react";
import { editsLeftInWords, type PossibleActions } from "@/components/chats/bubble/possible-actions";
import { useMessageAction } from "@/components/chats/timeline/thread";
import { isOfInputMethod, sendsText } from "@/components/composer/sends-on-enter";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { Textarea } from "@/components/ui/textarea";

type EditTextProps = {
  messageId: string;
  partIndex: number;
  text: string;
  hasFormatting: boolean;
  /** null once the message can no longer be edited. */
  left: PossibleActions["edit"];
  onDone: () => void;
};

/** Edits a sent text in place. Enter saves (on phones, only the button does), Escape cancels. */
export function EditText({ messageId, partIndex, text, hasFormatting, left, onDone }: EditTextProps) {
  const [value, setValue] = useState(text);
  const [pending, setPending] = useState(false);
  const act = useMessageAction(messageId);
  const savable = value.trim() !== "" && value !== text && left !== null && !pending;

  async function save(): Promise<void> {
    if (!savable) return;
    setPending(true);
    const done = await act({ method: "PATCH", body: { text: value, part_index: partIndex } });
    setPending(false);
    if (done) onDone();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (isOfInputMethod(event)) return;
    if (event.key === "Escape") onDone();
    if (!sendsText(event)) return;
    event.preventDefault();
    void save();
  }

  return (
    <div
      ref={scrollFullyIntoView}
      className="flex w-96 max-w-full flex-col gap-1.5 rounded-xl border bg-card p-2"
    >
      <Textarea
        aria-label="Edited message"
        autoFocus
        value={value}
        maxLength={10_000}
        className="min-h-10"
        onChange={({ target }) => setValue(target.value)}
        onKeyDown={onKeyDown}
      />
      <p className="px-1 text-muted-foreground text-xs">
        {left === null ? "This message can no longer be edited." : `${editsLeftInWords(left)}.`}
        {hasFormatting && " Saving removes the formatting."}
      </p>
      <div className="flex justify-end gap-2">
        <Button variant="ghost" size="sm" onClick={onDone}>
          Cancel
        </Button>
        <Button size="sm" disabled={!savable} onClick={save}>
          {pending && <Spinner />}
          Save
        </Button>
      </div>
    </div>
  );
}

// Focusing the field scrolls it into view, but not the buttons below it.
function scrollFullyIntoView(element: HTMLElement | null): void {
  if (element !== null) requestAnimationFrame(() => element.scrollIntoView({ block: "nearest" }));
}
