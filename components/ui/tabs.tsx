"use client";

import { cva, type VariantProps } from "class-variance-authority";
import { type ComponentProps, createContext, type KeyboardEvent, useContext, useId, useState } from "react";
import { cn } from "@/lib/cn";

// Code samples have tabs, and with them most pages of the documentation: written without Radix, which is 8 kB of script.

interface TabsState {
  id: string;
  value: string;
  choose: (value: string) => void;
}

const State = createContext<TabsState | null>(null);

function useTabs(): TabsState {
  const state = useContext(State);
  if (state === null) throw new Error("the part of tabs is outside a Tabs");
  return state;
}

type TabsProps = Omit<ComponentProps<"div">, "defaultValue"> & {
  /** The chosen tab, for tabs whose choice is stored elsewhere. */
  value?: string;
  defaultValue?: string;
  onValueChange?: (value: string) => void;
};

/** Panels of which one is visible, with a list of tabs. The arrow keys, Home and End move between the tabs. */
function Tabs({ className, value, defaultValue = "", onValueChange, ...props }: TabsProps) {
  const id = useId();
  const [own, setOwn] = useState(defaultValue);

  function choose(chosen: string): void {
    setOwn(chosen);
    onValueChange?.(chosen);
  }

  return (
    <State value={{ id, value: value ?? own, choose }}>
      <div data-slot="tabs" className={cn("group/tabs flex flex-col gap-3", className)} {...props} />
    </State>
  );
}

const tabsListVariants = cva("group/tabs-list inline-flex w-fit items-center text-muted-foreground", {
  variants: {
    variant: {
      default: "h-8.5 gap-0.5 rounded-lg bg-secondary p-0.75",
      line: "h-9 gap-4 border-b",
    },
  },
  defaultVariants: { variant: "default" },
});

type TabsListProps = ComponentProps<"div"> & VariantProps<typeof tabsListVariants>;

function TabsList({ className, variant = "default", ...props }: TabsListProps) {
  return (
    <div
      role="tablist"
      data-slot="tabs-list"
      data-variant={variant}
      onKeyDown={moveTab}
      className={cn(tabsListVariants({ variant }), className)}
      {...props}
    />
  );
}

/** Moves the focus, and so the choice, to another tab. */
function moveTab(event: KeyboardEvent<HTMLDivElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]:not(:disabled)")];
  const at = tabs.indexOf(event.target as HTMLElement);
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1 + tabs.length, Home: 0, End: tabs.length - 1 }[
    event.key
  ];
  if (next === undefined || at === -1) return;
  event.preventDefault();
  tabs[next % tabs.length]?.focus();
}

function TabsTrigger({ className, value, ...props }: ComponentProps<"button"> & { value: string }) {
  const tabs = useTabs();
  const isActive = tabs.value === value;
  return (
    <button
      type="button"
      role="tab"
      id={`${tabs.id}-tab-${value}`}
      aria-selected={isActive}
      aria-controls={`${tabs.id}-panel-${value}`}
      tabIndex={isActive ? 0 : -1}
      data-slot="tabs-trigger"
      data-state={isActive ? "active" : "inactive"}
      onClick={() => tabs.choose(value)}
      onFocus={() => tabs.choose(value)}
      className={cn(
        "inline-flex h-full items-center justify-center gap-1.5 whitespace-nowrap rounded-md px-2.5 font-medium text-[0.8125rem] transition-colors hover:text-foreground focus-visible:outline-offset-0 disabled:pointer-events-none disabled:opacity-50 data-[state=active]:text-foreground [&_svg:not([class*='size-'])]:size-3.5 [&_svg]:shrink-0",
        "group-data-[variant=default]/tabs-list:data-[state=active]:bg-card group-data-[variant=default]/tabs-list:data-[state=active]:shadow-xs",
        "group-data-[variant=line]/tabs-list:-mb-px group-data-[variant=line]/tabs-list:rounded-none group-data-[variant=line]/tabs-list:border-transparent group-data-[variant=line]/tabs-list:border-b-2 group-data-[variant=line]/tabs-list:px-0.5 group-data-[variant=line]/tabs-list:data-[state=active]:border-brand",
        className,
      )}
      {...props}
    />
  );
}

function TabsContent({ className, value, children, ...props }: ComponentProps<"div"> & { value: string }) {
  const tabs = useTabs();
  const isActive = tabs.value === value;
  return (
    <div
      role="tabpanel"
      id={`${tabs.id}-panel-${value}`}
      aria-labelledby={`${tabs.id}-tab-${value}`}
      hidden={!isActive}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the panel may scroll, which the keyboard must reach
      tabIndex={0}
      data-slot="tabs-content"
      data-state={isActive ? "active" : "inactive"}
      className={cn("flex-1 rounded-md", className)}
      {...props}
    >
      {isActive && children}
    </div>
  );
}

export { Tabs, TabsContent, TabsList, TabsTrigger };
