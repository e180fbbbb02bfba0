/** Types that most browsers can't show or play. The server creates a preview if it has the required tool. */
const MADE = new Set(["image/heic", "image/heif", "image/tiff", "audio/x-caf", "audio/amr", "audio/x-aiff"]);

/** The id of the file at a Trunkline path; null for any other path. */
function fileIdOf(path: string): string | null {
  return /^\/attachments\/partners\/[^/]+\/([0-9a-f-]{36})\//.exec(path)?.[1] ?? null;
}

/** The path of a file for display: its own, or that of its preview. */
export function previewUrl(path: string, mimeType: string): string {
  const id = MADE.has(mimeType) ? fileIdOf(path) : null;
  return id === null ? path : `/api/attachments/${id}/preview`;
}
