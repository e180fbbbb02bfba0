"use client";

import { ArrowUpRight } from "lucide-react";
import Link from "next/link";
import { FailureNote } from "@/components/data/failure-note";
import { Grouped } from "@/components/data/grouped";
import type { PanelLayoutProps } from "@/components/details/panel-context";
import { Button } from "@/components/ui/button";
import { SheetDescription, SheetHeader, SheetTitle } from "@/components/ui/sheet";

/** The layout of `DetailsPage` in a side panel, with a link to the full page at `href`. */
export function DetailsPanel({
  href,
  title,
  description,
  status,
  actions,
  ...rest
}: PanelLayoutProps & { href: string }) {
  return (
    <>
      <SheetHeader>
        <div className="flex flex-wrap items-center gap-2.5">
          <SheetTitle className="wrap-anywhere">
            <Grouped>{title}</Grouped>
          </SheetTitle>
          {status}
        </div>
        <SheetDescription asChild>
          <div>{description}</div>
        </SheetDescription>
        <div className="flex flex-wrap items-center gap-2 pt-1">
          <Button asChild variant="outline" size="sm">
            <Link href={href}>
              <ArrowUpRight aria-hidden="true" />
              Open full page
            </Link>
          </Button>
          {actions}
        </div>
      </SheetHeader>
      <div className="flex min-w-0 flex-col gap-6 px-5 pb-6">
        <FailureNote title="These details may be out of date" failure={rest.failure} onRetry={rest.onRetry} />
        {rest.children}
      </div>
    </>
  );
}
