"use client";

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useCallback, useState } from "react";
import { FailureNote } from "@/components/data/failure-note";
import { DetailsPanel } from "@/components/details/details-panel";
import { PanelLayout, type PanelLayoutProps } from "@/components/details/panel-context";
import type { RowPanel } from "@/components/details/row-panel";
import { Sheet, SheetContent, SheetDescription, SheetHeader, SheetTitle } from "@/components/ui/sheet";
import { Skeleton } from "@/components/ui/skeleton";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

type SidePanelProps = RowPanel & {
  /** The name of the row's kind, until its details are loaded. */
  label: string;
  onClose: () => void;
};

/** A panel beside a list with the details of one row. Escape, a click outside and the close button close it. */
export function SidePanel({ path, href, view, label, onClose }: SidePanelProps) {
  // The details are read once. The view in the panel keeps them up to date.
  const [openedMs] = useState(() => Date.now());
  const { data, error, refetch } = useQuery<never, ApiFailure>({
    queryKey: ["side-panel", path, openedMs],
    queryFn: ({ signal }) => apiFetch(path, { signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const Layout = useCallback((props: PanelLayoutProps) => <DetailsPanel {...props} href={href} />, [href]);
  const waiting = (
    <Waiting label={label}>
      {error === null ? (
        <Skeleton className="h-64 w-full rounded-xl" />
      ) : (
        <FailureNote title="The details could not be loaded" failure={error} onRetry={() => void refetch()} />
      )}
    </Waiting>
  );
  return (
    <Sheet open onOpenChange={(next) => !next && onClose()}>
      <SheetContent className="overflow-y-auto sm:max-w-2xl xl:max-w-3xl">
        {data === undefined ? (
          waiting
        ) : (
          <Suspense fallback={waiting}>
            <PanelLayout value={Layout}>{view(data)}</PanelLayout>
          </Suspense>
        )}
      </SheetContent>
    </Sheet>
  );
}

function Waiting({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <SheetHeader>
        <SheetTitle>{label}</SheetTitle>
        <SheetDescription className="sr-only">Details of the selected row.</SheetDescription>
      </SheetHeader>
      <div className="flex flex-col gap-4 px-5">{children}</div>
    </>
  );
}
