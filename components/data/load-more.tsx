"use client";

import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/lib/cn";

type LoadMoreProps = {
  /** false when the last page is loaded; the button is hidden then. */
  hasMore: boolean;
  isLoading: boolean;
  onLoadMore: () => void;
  /** The items to load, for example "older messages". */
  label?: string;
  className?: string;
};

/** Loads the next page of a list. */
export function LoadMore({ hasMore, isLoading, onLoadMore, label = "more", className }: LoadMoreProps) {
  if (!hasMore) return null;
  return (
    <div className={cn("flex justify-center py-3", className)}>
      <Button
        variant="outline"
        size="sm"
        aria-disabled={isLoading}
        onClick={isLoading ? undefined : onLoadMore}
      >
        {isLoading && <Spinner />}
        {isLoading ? "Loading…" : `Load ${label}`}
      </Button>
    </div>
  );
}
