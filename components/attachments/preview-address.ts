/** What most browsers cannot show or play: the server makes a preview of it, where it has the tool. */
const MADE = new Set(["image/heic", "image/heif", "image/tiff", "audio/x-caf", "audio/amr", "audio/x-aiff"]);

/** The id of the file that a path of ours leads to; null for any other path. */
function fileIdOf(path: string): string | null {
  return /^\/attachments\/partners\/[^/]+\/([0-9a-f-]{36})\//.exec(path)?.[1] ?? null;
}

/** Where a file is shown from: its own path, or its preview's. */
export function previewAddress(path: string, mimeType: string): string {
  const id = MADE.has(mimeType) ? fileIdOf(path) : null;
  return id === null ? path : `/api/attachments/${id}/preview`;
}
