"use client";

import { useState } from "react";
import { FailureNote } from "@/components/data/failure-note";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { FilePicker } from "@/components/imports/file-picker";
import { ImportOutcome } from "@/components/imports/import-outcome";
import { ImportProgress } from "@/components/imports/import-progress";
import type { ImportTarget } from "@/components/imports/import-target";
import { PreviewTable } from "@/components/imports/preview-table";
import { useImport } from "@/components/imports/use-import";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
  DialogTrigger,
} from "@/components/ui/dialog";
import { Spinner } from "@/components/ui/spinner";

/** The dialog of `ImportList`: a file, the preview of its rows, the progress and the outcome. */
export function ImportDialog({ target, trigger }: LoadedPopup & { target: ImportTarget }) {
  const [open, setOpen] = useState(true);
  const work = useImport(target);
  const { preview, progress, outcome } = work;
  const isRunning = progress !== null && outcome === null && work.failure === null;
  const count = preview?.rows.filter(({ result }) => result === "new").length ?? 0;

  // An import that is running stays visible. Its rows are stored batch by batch.
  function onOpenChange(next: boolean): void {
    if (isRunning) return;
    setOpen(next);
    if (next) work.reset();
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent className="sm:max-w-3xl">
        <DialogHeader>
          <DialogTitle>{target.title}</DialogTitle>
          <DialogDescription>{target.description}</DialogDescription>
        </DialogHeader>
        <FailureNote title="The file was not imported" failure={work.failure} />
        {preview === null && (
          <FilePicker noteColumn={target.note} isPending={work.isReading} onFile={work.read} />
        )}
        {preview !== null && outcome === null && <PreviewTable filename={work.filename} preview={preview} />}
        {progress !== null && outcome === null && <ImportProgress progress={progress} />}
        {outcome !== null && <ImportOutcome outcome={outcome} noun={target} />}
        <DialogFooter>
          {preview !== null && outcome === null && (
            <>
              <Button variant="outline" disabled={isRunning} onClick={work.reset}>
                Choose another file
              </Button>
              <Button disabled={count === 0 || isRunning} onClick={() => void work.run()}>
                {isRunning && <Spinner />}
                {progress !== null && !isRunning
                  ? "Continue import"
                  : `Import ${count.toLocaleString("en-US")} ${count === 1 ? target.one : target.many}`}
              </Button>
            </>
          )}
          {outcome !== null && <Button onClick={() => onOpenChange(false)}>Done</Button>}
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
