import "server-only";

/** How a small picture of a type is made: what decodes it. */
type PreviewKind = { by: "sharp" } | { by: "heif" } | { by: "ffmpeg"; demuxer: string };

// The decoder of pictures knows no HEVC: photos of an iPhone need a tool of their own, as films do.
const KINDS: ReadonlyMap<string, PreviewKind> = new Map<string, PreviewKind>([
  ["image/jpeg", { by: "sharp" }],
  ["image/png", { by: "sharp" }],
  ["image/gif", { by: "sharp" }],
  ["image/webp", { by: "sharp" }],
  ["image/tiff", { by: "sharp" }],
  ["image/heic", { by: "heif" }],
  ["image/heif", { by: "heif" }],
  ["video/mp4", { by: "ffmpeg", demuxer: "mov" }],
  ["video/quicktime", { by: "ffmpeg", demuxer: "mov" }],
  ["video/x-m4v", { by: "ffmpeg", demuxer: "mov" }],
  ["video/3gpp", { by: "ffmpeg", demuxer: "mov" }],
  ["video/mpeg", { by: "ffmpeg", demuxer: "mpeg" }],
  ["video/mpeg2", { by: "ffmpeg", demuxer: "mpeg" }],
  ["video/x-msvideo", { by: "ffmpeg", demuxer: "avi" }],
]);

/** How a preview of a type is made; null when there is none. */
export function previewKind(contentType: string): PreviewKind | null {
  return KINDS.get(contentType) ?? null;
}

/** Whether files of a type may have a preview, where this machine can make it. */
export function hasPreview(contentType: string): boolean {
  return KINDS.has(contentType);
}
