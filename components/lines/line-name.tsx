"use client";

import { createContext, type ReactNode, useContext } from "react";
import { Grouped } from "@/components/data/grouped";
import { cn } from "@/lib/cn";

const Labels = createContext<Readonly<Record<string, string>>>({});

type LineLabelsProps = { labels: Readonly<Record<string, string>>; children: ReactNode };

/** Provides the labels of the account's lines, by their numbers. */
export function LineLabels({ labels, children }: LineLabelsProps) {
  return <Labels value={labels}>{children}</Labels>;
}

/** The label of a line; undefined if it has none. */
export function useLineLabel(number: string): string | undefined {
  return useContext(Labels)[number];
}

type LineNameProps = { number: string; className?: string };

/** A line: its label, if it has one, and its number. */
export function LineName({ number, className }: LineNameProps) {
  const label = useLineLabel(number);
  return (
    <span className={cn("wrap-anywhere tabular-nums", className)}>
      {label === undefined ? (
        <bdi>
          <Grouped>{number}</Grouped>
        </bdi>
      ) : (
        <>
          <bdi className="font-medium">{label}</bdi>{" "}
          <bdi className="font-normal text-muted-foreground">
            <Grouped>{number}</Grouped>
          </bdi>
        </>
      )}
    </span>
  );
}
