"use client";

import { Upload } from "lucide-react";
import { LazyOpen } from "@/components/data/lazy-open";
import type { ImportTarget } from "@/components/imports/import-target";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/imports/import-dialog")).ImportDialog;

/** Imports handles from a CSV file into a list, after a preview. */
export function ImportList({ target }: { target: ImportTarget }) {
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={{ target }}
      trigger={
        <Button variant="outline">
          <Upload aria-hidden="true" />
          Import CSV
        </Button>
      }
    />
  );
}
