import "server-only";

/** The form of a preview: a small image, or audio that every browser plays. */
export type Preview = "image" | "audio";

type Decoder = { type: "sharp" } | { type: "heif" } | { type: "ffmpeg"; demuxer: string };
export type PreviewKind = Decoder & { makes: Preview };

const sharp: PreviewKind = { type: "sharp", makes: "image" };
// sharp can't decode HEVC, so iPhone photos need a separate tool.
const heif: PreviewKind = { type: "heif", makes: "image" };

function video(demuxer: string): PreviewKind {
  return { type: "ffmpeg", demuxer, makes: "image" };
}

function sound(demuxer: string): PreviewKind {
  return { type: "ffmpeg", demuxer, makes: "audio" };
}

const KINDS: ReadonlyMap<string, PreviewKind> = new Map([
  ["image/jpeg", sharp],
  ["image/png", sharp],
  ["image/gif", sharp],
  ["image/webp", sharp],
  ["image/tiff", sharp],
  ["image/heic", heif],
  ["image/heif", heif],
  ["video/mp4", video("mov")],
  ["video/quicktime", video("mov")],
  ["video/x-m4v", video("mov")],
  ["video/3gpp", video("mov")],
  ["video/mpeg", video("mpeg")],
  ["video/mpeg2", video("mpeg")],
  ["video/x-msvideo", video("avi")],
  // Audio that phones record and most browsers can't play.
  ["audio/x-caf", sound("caf")],
  ["audio/amr", sound("amr")],
  ["audio/x-aiff", sound("aiff")],
]);

/** The kind of preview for a type, or null when the type has none. */
export function previewKind(contentType: string): PreviewKind | null {
  return KINDS.get(contentType) ?? null;
}

/** The form of the preview of a type; null where this machine can't make one. */
export function previewOf(contentType: string): Preview | null {
  return KINDS.get(contentType)?.makes ?? null;
}
