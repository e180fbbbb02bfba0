"use client";

import { type RefObject, useState } from "react";
import { mentionRange, withMention } from "@/components/composer/text/mention";
import {
  type Mark,
  markableRange,
  moveMarks,
  type Range,
  setAnimation,
  toggleStyle,
} from "@/components/composer/text/text-marks";
import type { DraftState } from "@/components/composer/use-draft";

type Field = RefObject<HTMLTextAreaElement | null>;

/** Edits a draft's text and its marks at the field's selection. `mayName`: mentions are available. */
export function useMarks({ draft, update }: DraftState, field: Field, mayName: boolean) {
  const [selection, setSelection] = useState<Range>({ start: 0, end: 0 });
  const [isNaming, setNaming] = useState(false);
  const range = markableRange(draft.text, selection);

  function onText(after: string, cursor: number): void {
    const isTyped = after.length === draft.text.length + 1;
    if (mayName && isTyped && /(^|\s)@$/.test(after.slice(0, cursor))) setNaming(true);
    update((current) => ({
      ...current,
      text: after,
      marks: moveMarks(current.marks, { before: current.text, after, cursor }),
    }));
    setSelection({ start: cursor, end: cursor });
  }

  // Read from the field, because some browsers don't report every selection change.
  function selected(): Range {
    const { selectionStart: start = 0, selectionEnd: end = 0 } = field.current ?? {};
    return { start, end };
  }

  function mark(change: (marks: readonly Mark[], over: Range) => Mark[]): void {
    const over = markableRange(draft.text, selected());
    if (over !== null) update((current) => ({ ...current, marks: change(current.marks, over) }));
    setSelection(selected());
    field.current?.focus();
  }

  function mention(handle: string): void {
    const at = selected();
    update((current) => withMention(current, at, handle));
    const { start } = mentionRange(draft.text, at);
    const cursor = at.start < at.end ? at.end : start + handle.length + 1;
    setSelection({ start: cursor, end: cursor });
    requestAnimationFrame(() => field.current?.setSelectionRange(cursor, cursor));
  }

  function insert(text: string): void {
    const { start, end } = selected();
    const after = draft.text.slice(0, start) + text + draft.text.slice(end);
    const cursor = start + text.length;
    onText(after, cursor);
    requestAnimationFrame(() => field.current?.setSelectionRange(cursor, cursor));
  }

  return {
    range,
    insert,
    isNaming,
    setNaming,
    onText,
    mention,
    select: () => setSelection(selected()),
    focus: () => field.current?.focus(),
    style: (name: string) => mark((marks, over) => toggleStyle(marks, over, name)),
    animate: (name: string | null) => mark((marks, over) => setAnimation(marks, over, name)),
  };
}
