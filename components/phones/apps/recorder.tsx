"use client";

import { Circle, Square } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { RecordedPhone, RecordedStep } from "@/components/phones/test-recorder/recorded-step";
import type { useTestRecorder } from "@/components/phones/test-recorder/use-test-recorder";
import { Button } from "@/components/ui/button";

const RecordedFile = lazy(() =>
  import("@/components/phones/test-recorder/recorded-file").then(({ RecordedFile: file }) => ({
    default: file,
  })),
);

type RecorderProps = { recorder: ReturnType<typeof useTestRecorder>; phones: readonly RecordedPhone[] };

/** Records what happens on the phones and exports it as a test file. */
export function Recorder({ recorder, phones }: RecorderProps) {
  const [recorded, setRecorded] = useState<readonly RecordedStep[] | null>(null);
  return (
    <>
      {recorder.isOn ? (
        <Button variant="destructive" size="sm" onClick={() => setRecorded(recorder.stop())}>
          <Square />
          <span className="tabular-nums">
            Stop ({recorder.steps.length === 1 ? "1 step" : `${recorder.steps.length} steps`})
          </span>
        </Button>
      ) : (
        <Button variant="outline" size="sm" onClick={recorder.start}>
          <Circle />
          Record test
        </Button>
      )}
      {recorded !== null && (
        <Suspense>
          <RecordedFile steps={recorded} phones={phones} onClose={() => setRecorded(null)} />
        </Suspense>
      )}
    </>
  );
}
