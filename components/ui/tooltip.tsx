"use client";

import { Slot } from "radix-ui";
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { cn } from "@/lib/cn";

// Every timestamp has a tooltip, so tooltips are written without Radix, which is 30 kB of script with its positioning.

const DELAY_MS = 250;
/** Time to move the pointer from the trigger to the tooltip, whose text can be selected. */
const LEAVE_MS = 100;
const EDGE_PX = 8;

interface TooltipState {
  id: string;
  isOpen: boolean;
  anchor: RefObject<HTMLElement | null>;
  show: (delayMs: number) => void;
  hide: (delayMs: number) => void;
}

const State = createContext<TooltipState | null>(null);

/** The tooltip around a component. `show` also opens the tooltip where there is no hover. */
function useTooltip(): TooltipState {
  const state = useContext(State);
  if (state === null) throw new Error("the part of a tooltip is outside a Tooltip");
  return state;
}

/** A text that appears while the pointer or the keyboard focus is on its trigger. Escape hides the text. */
function Tooltip({ children }: { children: ReactNode }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  function change(open: boolean, delayMs: number): void {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(open), delayMs);
  }

  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!isOpen) return;
    const close = () => setOpen(false);
    const onKeyDown = ({ key }: KeyboardEvent) => key === "Escape" && close();
    document.addEventListener("keydown", onKeyDown);
    window.addEventListener("scroll", close, { capture: true, passive: true });
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      window.removeEventListener("scroll", close, { capture: true });
    };
  }, [isOpen]);

  return (
    <State value={{ id, isOpen, anchor, show: (ms) => change(true, ms), hide: (ms) => change(false, ms) }}>
      {children}
    </State>
  );
}

function TooltipTrigger({ asChild = false, ...props }: ComponentProps<"button"> & { asChild?: boolean }) {
  const { id, isOpen, anchor, show, hide } = useTooltip();
  const Component = asChild ? Slot.Root : "button";
  return (
    <Component
      data-slot="tooltip-trigger"
      data-state={isOpen ? "open" : "closed"}
      aria-describedby={isOpen ? id : undefined}
      {...(!asChild && { type: "button" })}
      {...props}
      onPointerEnter={(event) => {
        anchor.current = event.currentTarget;
        if (event.pointerType !== "touch") show(DELAY_MS);
      }}
      onPointerLeave={() => hide(LEAVE_MS)}
      onPointerDown={() => hide(0)}
      onFocus={(event) => {
        anchor.current = event.currentTarget;
        if (event.currentTarget.matches(":focus-visible")) show(0);
      }}
      onBlur={() => hide(0)}
    />
  );
}

type TooltipContentProps = ComponentProps<"div"> & { side?: "top" | "right"; sideOffset?: number };

function TooltipContent(props: TooltipContentProps) {
  const { isOpen } = useTooltip();
  return isOpen ? createPortal(<OpenContent {...props} />, document.body) : null;
}

function OpenContent({ className, side = "top", sideOffset = 6, ...props }: TooltipContentProps) {
  const { id, anchor, show, hide } = useTooltip();
  const content = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const { current: box } = content;
    const place = anchor.current?.getBoundingClientRect();
    if (!box || !place) return;
    const { x, y } = positionOf(place, box.getBoundingClientRect(), { side, sideOffset });
    box.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }, [anchor, side, sideOffset]);

  return (
    <div
      ref={content}
      id={id}
      role="tooltip"
      data-slot="tooltip-content"
      onPointerEnter={() => show(0)}
      onPointerLeave={() => hide(LEAVE_MS)}
      className="fixed top-0 left-0 z-50"
    >
      <div
        className={cn(
          "fade-in-0 w-fit max-w-72 animate-in text-balance rounded-md bg-primary px-2.5 py-1.5 text-primary-foreground text-xs shadow-md",
          className,
        )}
        {...props}
      />
    </div>
  );
}

/** Beside or above the trigger, below it if there is no room above, and always inside the window. */
function positionOf(
  trigger: DOMRect,
  { width, height }: DOMRect,
  { side, sideOffset }: { side: "top" | "right"; sideOffset: number },
): { x: number; y: number } {
  const above = trigger.top - height - sideOffset;
  const wanted =
    side === "right"
      ? { x: trigger.right + sideOffset, y: trigger.top + (trigger.height - height) / 2 }
      : {
          x: trigger.left + (trigger.width - width) / 2,
          y: above < EDGE_PX ? trigger.bottom + sideOffset : above,
        };
  const within = (at: number, end: number) => Math.max(EDGE_PX, Math.min(at, end - EDGE_PX));
  return {
    x: within(wanted.x, document.documentElement.clientWidth - width),
    y: within(wanted.y, window.innerHeight - height),
  };
}

export { Tooltip, TooltipContent, TooltipTrigger, useTooltip };
