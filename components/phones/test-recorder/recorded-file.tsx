"use client";

import { Download } from "lucide-react";
import { CodeTabs } from "@/components/data/copy/code-tabs";
import type { RecordedPhone, RecordedStep } from "@/components/phones/test-recorder/recorded-step";
import { writeTestFile } from "@/components/phones/test-recorder/write-test-file";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";

type RecordedFileProps = {
  steps: readonly RecordedStep[];
  phones: readonly RecordedPhone[];
  onClose: () => void;
};

/** The test file of a recording, to copy or to download. */
export function RecordedFile({ steps, phones, onClose }: RecordedFileProps) {
  const file = writeTestFile(steps, phones);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="sm:max-w-3xl">
        <DialogHeader>
          <DialogTitle>Recorded test</DialogTitle>
          <DialogDescription>
            {steps.length === 0
              ? "Nothing happened on the phones. Record again, and write in a phone."
              : "A Vitest file for trunkline/testing. It plays both sides, so that it passes as recorded. Replace the marked calls with your program."}
          </DialogDescription>
        </DialogHeader>
        <CodeTabs label="recorded test" snippets={{ typescript: file }} />
        <DialogFooter>
          <Button asChild variant="outline">
            <a
              href={`data:text/typescript;charset=utf-8,${encodeURIComponent(file)}`}
              download="recorded.test.ts"
            >
              <Download />
              Download file
            </a>
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
