"use client";

import { useEffect, useRef, useState } from "react";
import type { UploadedFile } from "@/components/composer/draft";
import type { Upload } from "@/components/composer/files/upload";
import { toast } from "@/components/data/toast";
import { ApiFailure } from "@/lib/client/api-fetch";

const MAX_FILES = 99;

/** The table of file types and the upload, loaded with the first file. */
const loadUploading = () => import("@/components/composer/files/prepare-upload");

/** Uploads files as soon as they are chosen. Uploads can be canceled, and retried after a failure. */
export function useUploads() {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const running = useRef(new Map<string, AbortController>());

  useEffect(() => {
    const controllers = running.current;
    return () => {
      for (const controller of controllers.values()) controller.abort();
    };
  }, []);

  function change(key: string, to: Partial<Upload>): void {
    setUploads((all) => all.map((upload) => (upload.key === key ? { ...upload, ...to } : upload)));
  }

  async function start({ key, file, contentType }: Upload): Promise<void> {
    if (file === null) return;
    const controller = new AbortController();
    running.current.set(key, controller);
    change(key, { state: "uploading", progress: 0, problem: null });
    try {
      const { uploadFile } = await loadUploading();
      const attachmentId = await uploadFile(file, contentType, {
        signal: controller.signal,
        onProgress: (progress) => change(key, { progress }),
      });
      change(key, { state: "ready", progress: 1, attachmentId });
    } catch (error) {
      if (!controller.signal.aborted) change(key, { state: "failed", problem: reasonOf(error) });
    } finally {
      running.current.delete(key);
    }
  }

  async function add(files: readonly File[]): Promise<void> {
    const loaded = await loadUploading().catch(() => null);
    if (loaded === null)
      return toast.error("The files were not added. Check your connection, then try again.");
    const added = files.slice(0, Math.max(0, MAX_FILES - uploads.length)).map(loaded.prepareUpload);
    setUploads((all) => [...all, ...added]);
    for (const upload of added) if (upload.state === "uploading") void start(upload);
  }

  function remove(key: string): void {
    running.current.get(key)?.abort();
    setUploads((all) => all.filter((upload) => upload.key !== key));
  }

  return {
    uploads,
    add: (files: readonly File[]) => void add(files),
    remove,
    retry: (upload: Upload) => void start(upload),
    clear: () => setUploads([]),
    /** Adds uploaded files before the others, unless they are there already. */
    restore: (files: readonly UploadedFile[]) =>
      setUploads((all) => {
        const known = new Set(all.map(({ attachmentId }) => attachmentId));
        const added = files.filter(({ attachmentId }) => !known.has(attachmentId));
        return added.length === 0 ? all : [...added.map(toReady), ...all];
      }),
  };
}

function toReady({ attachmentId, name, contentType, sizeBytes }: UploadedFile): Upload {
  const done = { state: "ready", progress: 1, problem: null, file: null } as const;
  return { key: attachmentId, attachmentId, name, contentType, sizeBytes, ...done };
}

function reasonOf(error: unknown): string {
  return error instanceof ApiFailure ? error.message : "The upload failed. Try again.";
}

/** The completed uploads, in order. */
export function uploadedFiles(uploads: readonly Upload[]): UploadedFile[] {
  return uploads.flatMap(({ attachmentId, name, contentType, sizeBytes }) =>
    attachmentId === null ? [] : [{ attachmentId, name, contentType, sizeBytes }],
  );
}
