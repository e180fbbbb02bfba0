"use client";

import { useEffect } from "react";
import { uploadedFiles, useUploads } from "@/components/composer/files/use-uploads";
import type { DraftState } from "@/components/composer/use-draft";

/** The files of a draft. Uploaded files are stored with the draft. */
export function useDraftFiles({ draft, isRead, change }: DraftState) {
  const files = useUploads();
  const ready = uploadedFiles(files.uploads);
  const ids = ready.map(({ attachmentId }) => attachmentId).join();
  const keptIds = draft.files.map(({ attachmentId }) => attachmentId).join();

  // biome-ignore lint/correctness/useExhaustiveDependencies: files come with a stored draft or a message that is taken back
  useEffect(() => {
    if (isRead) files.restore(draft.files);
  }, [isRead, keptIds]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only uploaded files matter
  useEffect(() => {
    if (isRead && ids !== keptIds) change({ files: ready });
  }, [ids]);

  return files;
}
