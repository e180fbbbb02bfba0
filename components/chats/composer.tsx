"use client";

import { ArrowUp } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/lib/cn";

const maxLength = 10_000;
const countFrom = 9_000;
const maxHeightPx = 200;

type ComposerProps = {
  /** Accepts the text; the field keeps it when this throws. */
  onSend: (text: string) => Promise<void>;
  /** Why nothing can be sent here, as in "The recipient has opted out". Disables the field. */
  disabledReason?: ReactNode;
  /** Why the last send failed. */
  error?: ReactNode;
  placeholder?: string;
};

/** Where a message is written. Enter sends it, Shift-Enter starts a new line. */
export function Composer({ onSend, disabledReason, error, placeholder = "Write a message…" }: ComposerProps) {
  const [text, setText] = useState("");
  const [pending, setPending] = useState(false);
  const field = useGrowingField(text);
  const noteId = useId();
  const disabled = Boolean(disabledReason);
  const sendable = !disabled && !pending && text.trim().length > 0 && text.length <= maxLength;

  async function send(): Promise<void> {
    if (!sendable) return;
    setPending(true);
    try {
      await onSend(text);
      setText("");
    } catch {
      // The caller shows why through `error`; the text stays to be sent again.
    } finally {
      setPending(false);
      field.current?.focus();
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  }

  return (
    <div className="flex flex-col gap-1.5">
      <div
        className={cn(
          "flex items-end gap-2 rounded-xl border border-input bg-card p-1.5 pl-3.5 shadow-xs has-[textarea:focus-visible]:border-ring has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:outline-ring",
          disabled && "bg-muted",
        )}
      >
        <textarea
          ref={field}
          rows={1}
          value={text}
          disabled={disabled}
          readOnly={pending}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          placeholder={placeholder}
          aria-label="Message"
          aria-describedby={noteId}
          aria-invalid={text.length > maxLength || undefined}
          className="min-h-8 flex-1 resize-none bg-transparent py-1.5 text-base leading-5 outline-none placeholder:text-muted-foreground focus-visible:outline-none disabled:cursor-not-allowed md:text-sm"
        />
        <Button size="icon" disabled={!sendable} onClick={send} aria-label="Send" className="rounded-lg">
          {pending ? <Spinner /> : <ArrowUp />}
        </Button>
      </div>
      <div id={noteId} className="flex justify-between gap-4 px-1 text-muted-foreground text-xs">
        <ComposerNote disabledReason={disabledReason} error={error} />
        {text.length >= countFrom && <CharacterCount length={text.length} />}
      </div>
    </div>
  );
}

function useGrowingField(text: string) {
  const field = useRef<HTMLTextAreaElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows from the text
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight, maxHeightPx)}px`;
  }, [text]);

  return field;
}

function ComposerNote({ disabledReason, error }: Pick<ComposerProps, "disabledReason" | "error">) {
  if (disabledReason) return <p>{disabledReason}</p>;
  if (error) {
    return (
      <p role="alert" className="text-destructive-text">
        {error}
      </p>
    );
  }
  return <p className="pointer-coarse:hidden">Enter to send, Shift + Enter for a new line</p>;
}

function CharacterCount({ length }: { length: number }) {
  const excess = length > maxLength;
  return (
    <p className={cn("ml-auto shrink-0 tabular-nums", excess && "font-medium text-destructive-text")}>
      {length.toLocaleString("en-US")} / {maxLength.toLocaleString("en-US")}
      <span role="status" className="sr-only">
        {excess && "The message is too long to send."}
      </span>
    </p>
  );
}
