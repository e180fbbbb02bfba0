"use client";

import { useEffect, useRef } from "react";
import { uploadedFiles, useUploads } from "@/components/composer/files/use-uploads";
import type { DraftState } from "@/components/composer/use-draft";

/** The files of a draft. Uploaded files are stored with the draft. */
export function useDraftFiles({ draft, isRead, change }: DraftState) {
  const files = useUploads();
  const ready = uploadedFiles(files.uploads);
  const isRestored = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: stored files are restored once
  useEffect(() => {
    if (!isRead || isRestored.current) return;
    isRestored.current = true;
    if (draft.files.length > 0) files.restore(draft.files);
  }, [isRead]);

  const ids = ready.map(({ attachmentId }) => attachmentId).join();
  const keptIds = draft.files.map(({ attachmentId }) => attachmentId).join();

  // biome-ignore lint/correctness/useExhaustiveDependencies: only uploaded files matter
  useEffect(() => {
    if (isRestored.current && ids !== keptIds) change({ files: ready });
  }, [ids]);

  return files;
}
