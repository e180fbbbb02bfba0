"use client";

import { type ComponentProps, type RefObject, useLayoutEffect, useRef } from "react";
import type { Mark } from "@/components/composer/text/text-marks";
import { cn } from "@/lib/cn";

const MAX_HEIGHT_PX = 200;

// These styles don't change the width of letters, so that the styled text stays aligned with the edited text below
// it.
const LOOKS: Readonly<Record<string, string>> = {
  bold: "[-webkit-text-stroke:0.6px_currentColor]",
  italic: "italic",
  underline: "underline",
  strikethrough: "line-through",
};

type MarkedFieldProps = Omit<ComponentProps<"textarea">, "value" | "onChange" | "ref"> & {
  field: RefObject<HTMLTextAreaElement | null>;
  value: string;
  marks: readonly Mark[];
  onText: (text: string, cursor: number) => void;
};

/** A text field that grows with its text and shows styles, animations and mentions. */
export function MarkedField({ field, value, marks, onText, className, ...props }: MarkedFieldProps) {
  const shown = useRef<HTMLDivElement>(null);
  const isMarked = marks.length > 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the text
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight, MAX_HEIGHT_PX)}px`;
  }, [value]);

  const metrics = "px-1 py-1.5 text-base leading-5 md:text-sm whitespace-pre-wrap wrap-break-word";
  return (
    <div className={cn("relative min-w-0", className)}>
      {isMarked && (
        <div
          ref={shown}
          aria-hidden="true"
          className={cn("pointer-events-none absolute inset-0 overflow-hidden", metrics)}
        >
          <MarkedText value={value} marks={marks} />
        </div>
      )}
      <textarea
        ref={field}
        rows={1}
        value={value}
        onChange={({ target }) => onText(target.value, target.selectionEnd)}
        onScroll={({ currentTarget }) => shown.current?.scrollTo(0, currentTarget.scrollTop)}
        className={cn(
          "relative block min-h-8 w-full resize-none bg-transparent outline-none placeholder:text-muted-foreground focus-visible:outline-none disabled:cursor-not-allowed",
          metrics,
          isMarked && "text-transparent caret-foreground",
        )}
        {...props}
      />
    </div>
  );
}

function MarkedText({ value, marks }: { value: string; marks: readonly Mark[] }) {
  const borders = new Set([0, value.length, ...marks.flatMap(({ start, end }) => [start, end])]);
  const starts = [...borders].sort((one, other) => one - other);
  return starts.map((start, index) => {
    const over = marks.filter((mark) => mark.start <= start && start < mark.end);
    return (
      <span key={start} className={classNameOf(over)}>
        {value.slice(start, starts[index + 1])}
      </span>
    );
  });
}

function classNameOf(over: readonly Mark[]): string {
  const names = over.map(({ name }) => name);
  return cn(
    names.map((name) => LOOKS[name]),
    names.includes("underline") &&
      names.includes("strikethrough") &&
      "[text-decoration-line:underline_line-through]",
    over.some(({ type }) => type === "animation") && "rounded-xs bg-brand/25",
    over.some(({ type }) => type === "mention") && "rounded-xs bg-info/25",
  );
}
