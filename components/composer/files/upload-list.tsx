"use client";

import { FileText, RotateCw, X } from "lucide-react";
import { useEffect, useState } from "react";
import type { Upload } from "@/components/composer/files/upload";
import { formatBytes } from "@/components/data/format-bytes";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";

type UploadListProps = {
  uploads: readonly Upload[];
  onRemove: (key: string) => void;
  onRetry: (upload: Upload) => void;
};

/** The files of a draft, with upload progress and buttons to cancel, retry or remove. */
export function UploadList({ uploads, onRemove, onRetry }: UploadListProps) {
  return (
    <ul aria-label="Files" className="flex max-h-44 flex-col gap-1.5 overflow-y-auto">
      {uploads.map((upload) => (
        <li
          key={upload.key}
          className="flex items-center gap-2.5 rounded-lg border bg-background p-1.5 text-xs"
        >
          <Preview upload={upload} />
          <div className="min-w-0 flex-1">
            <p className="truncate font-medium">{upload.name}</p>
            <PaymentProgress upload={upload} />
          </div>
          {upload.state === "failed" && (
            <Button
              variant="ghost"
              size="icon-xs"
              aria-label={`Retry upload of ${upload.name}`}
              onClick={() => onRetry(upload)}
            >
              <RotateCw />
            </Button>
          )}
          <Button
            variant="ghost"
            size="icon-xs"
            aria-label={
              upload.state === "uploading" ? `Cancel upload of ${upload.name}` : `Remove ${upload.name}`
            }
            onClick={() => onRemove(upload.key)}
          >
            <X />
          </Button>
        </li>
      ))}
    </ul>
  );
}

function PaymentProgress({ upload: { state, progress, problem, sizeBytes, name } }: { upload: Upload }) {
  if (problem !== null) {
    return (
      <p role="alert" className="wrap-anywhere text-destructive-text">
        {problem}
      </p>
    );
  }
  if (state === "ready")
    return <p className="text-muted-foreground tabular-nums">{formatBytes(sizeBytes)}</p>;
  const percent = Math.round(progress * 100);
  return (
    <div
      role="progressbar"
      aria-label={`Upload of ${name}`}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="mt-1 h-1.5 overflow-hidden rounded-full bg-muted"
    >
      <div className="h-full rounded-full bg-brand transition-[width]" style={{ width: `${percent}%` }} />
    </div>
  );
}

function Preview({ upload: { file, contentType } }: { upload: Upload }) {
  const address = useFileAddress(file !== null && contentType.startsWith("image/") ? file : null);
  const box = "flex size-9 shrink-0 items-center justify-center rounded-md bg-muted";
  if (address === null) {
    return (
      <span className={cn(box, "text-muted-foreground")}>
        <FileText className="size-4" aria-hidden="true" />
      </span>
    );
  }
  // biome-ignore lint/performance/noImgElement: a local file
  return <img src={address} alt="" className={cn(box, "object-cover")} />;
}

function useFileAddress(file: File | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (file === null) return;
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return address;
}
