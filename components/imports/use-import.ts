"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ImportTarget } from "@/components/imports/import-target";
import { readTextFile } from "@/components/imports/read-text-file";
import { ApiFailure } from "@/lib/client/api-fetch";
import type { ImportPreview, PreviewedRow } from "@/lib/recipients/imports/preview-import";

/** The API's limits. */
const MAX_FILE_UNITS = 1_000_000;
const BATCH_ROWS = 200;
const MAX_FILENAME = 200;

const TOO_LARGE = "The file has more than a million characters. Split it into smaller files.";

export type Progress = { done: number; all: number; added: number; listed: number };
export type Outcome = { added: number; listed: number; refused: number };

/**
 * Reads a file, previews it and imports its new rows in batches. After a failure, `run` continues with the batch
 * that failed.
 */
export function useImport(target: ImportTarget) {
  const queryClient = useQueryClient();
  const [filename, setFilename] = useState("");
  const [preview, setPreview] = useState<ImportPreview | null>(null);
  const [isReading, setReading] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  async function attempt(work: () => Promise<void>): Promise<void> {
    setFailure(null);
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      setFailure(error);
    }
  }

  async function read(file: File): Promise<void> {
    setReading(true);
    await attempt(async () => {
      const csv = await readTextFile(file);
      if (csv.length > MAX_FILE_UNITS) throw new ApiFailure(0, TOO_LARGE);
      setFilename(file.name.slice(0, MAX_FILENAME));
      setPreview(await target.preview(csv));
    });
    setReading(false);
  }

  async function run(): Promise<void> {
    const rows = preview?.rows.filter(({ result }) => result === "new") ?? [];
    await attempt(async () => {
      let stored = progress ?? { done: 0, all: rows.length, added: 0, listed: 0 };
      setProgress(stored);
      while (stored.done < rows.length) {
        const batch = rows.slice(stored.done, stored.done + BATCH_ROWS);
        const { added, listed } = await target.store({
          filename,
          rows: batch.map(({ handle, note }) => ({ handle, note })),
        });
        const done = stored.done + batch.length;
        stored = { ...stored, done, added: stored.added + added, listed: stored.listed + listed };
        setProgress(stored);
      }
      const count = (wanted: PreviewedRow["result"]) =>
        preview?.rows.filter(({ result }) => result === wanted).length ?? 0;
      setOutcome({
        added: stored.added,
        listed: stored.listed + count("listed") + count("duplicate"),
        refused: count("invalid"),
      });
    });
    await queryClient.invalidateQueries();
  }

  function reset(): void {
    setFilename("");
    setPreview(null);
    setFailure(null);
    setProgress(null);
    setOutcome(null);
  }

  return { filename, preview, isReading, failure, progress, outcome, read, run, reset };
}
