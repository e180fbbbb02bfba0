"use client";

import { Check, ChevronDown } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { type StepContext, type StepName, steps } from "@/components/home/steps";
import { cn } from "@/lib/cn";
import type { Home } from "@/lib/runtime/dashboard/get-home";

type FirstStepsProps = { done: Home["steps"]; start: StepContext };

/** The onboarding checklist. Finished steps turn green; the next open step is expanded. */
export function FirstSteps({ done, start }: FirstStepsProps) {
  const next = steps.find(({ name }) => !done[name])?.name ?? null;
  const [chosen, choose] = useState<StepName | "none" | null>(null);
  const open = chosen ?? next;
  const count = steps.filter(({ name }) => done[name]).length;

  return (
    <section aria-labelledby="first-steps" className="min-w-0 rounded-xl border bg-card shadow-xs">
      <div className="flex items-baseline justify-between gap-4 border-b px-4 py-3.5 sm:px-5">
        <h2 id="first-steps" className="font-semibold tracking-tight">
          First steps
        </h2>
        <p role="status" className="text-muted-foreground text-xs tabular-nums">
          {count} of {steps.length} done
        </p>
      </div>
      <ol className="divide-y">
        {steps.map((step, index) => (
          <StepItem
            key={step.name}
            number={index + 1}
            title={step.title}
            done={done[step.name]}
            open={open === step.name}
            onToggle={() => choose(open === step.name ? "none" : step.name)}
          >
            {step.how(start)}
          </StepItem>
        ))}
      </ol>
    </section>
  );
}

type StepItemProps = {
  number: number;
  title: string;
  done: boolean;
  open: boolean;
  onToggle: () => void;
  children: ReactNode;
};

function StepItem({ number, title, done, open, onToggle, children }: StepItemProps) {
  const panelId = useId();
  return (
    <li>
      <h3>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={panelId}
          onClick={onToggle}
          className="flex w-full items-center gap-3 px-4 py-3 text-left hover:bg-muted/50 focus-visible:-outline-offset-2 sm:px-5"
        >
          <StepMark number={number} done={done} />
          <span className={cn("flex-1 font-medium", done && "text-muted-foreground")}>{title}</span>
          <span className="sr-only">{done ? "Done" : "To do"}</span>
          <ChevronDown
            aria-hidden="true"
            className={cn("size-4 text-muted-foreground transition-transform", open && "rotate-180")}
          />
        </button>
      </h3>
      <div
        id={panelId}
        hidden={!open}
        className="flex min-w-0 flex-col gap-3 px-4 pb-5 text-muted-foreground leading-relaxed sm:pr-5 sm:pl-14"
      >
        {children}
      </div>
    </li>
  );
}

function StepMark({ number, done }: { number: number; done: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        "flex size-6 shrink-0 items-center justify-center rounded-full border font-medium text-xs tabular-nums transition-colors",
        done ? "border-transparent bg-success/15 text-success" : "border-input text-muted-foreground",
      )}
    >
      {done ? <Check className="size-3.5" strokeWidth={2.5} /> : number}
    </span>
  );
}
