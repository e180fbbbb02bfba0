/** A file being uploaded for a message. */
export interface Upload {
  key: string;
  name: string;
  sizeBytes: number;
  contentType: string;
  /** null for an upload restored after a page reload. */
  file: File | null;
  state: "uploading" | "ready" | "failed" | "refused";
  /** 0 to 1. */
  progress: number;
  attachmentId: string | null;
  /** Why the upload failed or the file is not supported. */
  problem: string | null;
}
