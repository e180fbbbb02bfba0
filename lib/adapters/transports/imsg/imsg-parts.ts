import "server-only";
import { openMacFile, toSource } from "@/lib/adapters/transports/imsg/imsg-files";
import type { ImsgAttachment, ImsgMessage } from "@/lib/adapters/transports/imsg/imsg-payloads";
import type { ImsgSettings } from "@/lib/adapters/transports/imsg/imsg-settings";
import type { InMedia, InPart } from "@/lib/adapters/transports/inbound";

/** Stands for an attachment in the text of a message. */
const OBJECT = "\ufffc";
const URL_BALLOON = "com.apple.messages.URLBalloonProvider";
const ONLY_URL = /^https?:\/\/\S+$/i;

/** The mark of content that imsg gives no access to, by the end of its app's identifier. */
const MARKS: readonly (readonly [app: string, mark: string])[] = [
  ["DigitalTouchBalloonProvider", "[Digital Touch message]"],
  ["HandwritingProvider", "[Handwritten message]"],
  ["messages.Polls", "[Poll]"],
];
const APP_MARK = "[Message of an iMessage app]";

/**
 * The parts of a row in their order: a text has a mark for each file. A message of an app, whose content imsg does not
 * report, is shown as a mark.
 */
export function toParts(settings: ImsgSettings, message: ImsgMessage): InPart[] {
  const { poll, balloon_bundle_id: balloon } = message;
  if (poll?.kind === "created" && poll.options.length > 0) {
    return [{ type: "poll", options: poll.options.map(({ id, text: value }) => ({ ref: id, text: value })) }];
  }
  // The images of a link's preview are no files that a person sent.
  const files = message.attachments.filter((file) => !/\.pluginPayloadAttachment$/i.test(nameOf(file)));
  const [first] = files;
  // The text of a voice memo is the transcription of the Mac.
  if (files.length === 1 && first !== undefined && isVoiceMemo(first)) {
    return [{ ...toMedia(settings, first), voiceMemo: true }];
  }
  const parts = interleave(
    message.text,
    files.map((file) => toMedia(settings, file)),
  );
  const [only] = parts;
  if (parts.length === 0 && balloon !== undefined && balloon !== URL_BALLOON) {
    return [{ type: "text", value: MARKS.find(([app]) => balloon.endsWith(app))?.[1] ?? APP_MARK }];
  }
  const isPreviewed = balloon === URL_BALLOON || message.url_preview !== undefined;
  if (isPreviewed && parts.length === 1 && only?.type === "text" && ONLY_URL.test(only.value.trim())) {
    return [{ type: "link", url: only.value.trim() }];
  }
  return parts;
}

/** Puts each file in the place of its mark, and the others at the end. */
function interleave(value: string, files: InMedia[]): InPart[] {
  const texts = value.split(OBJECT);
  // Without files, the marks stand for nothing.
  const pieces = files.length === 0 ? [texts.join("")] : texts;
  const parts = pieces.flatMap((piece, index): InPart[] => {
    const shown = texts.length > 1 ? piece.trim() : piece;
    const file = index < pieces.length - 1 ? files[index] : undefined;
    return [
      ...(shown.trim() === "" ? [] : [{ type: "text" as const, value: shown }]),
      ...(file === undefined ? [] : [file]),
    ];
  });
  return [...parts, ...files.slice(pieces.length - 1)];
}

/** A file that is missing now is fetched later: iCloud gives it to the Mac when it wants. */
function toMedia(settings: ImsgSettings, file: ImsgAttachment): InMedia {
  const source = toSource(file.original_path, file.total_bytes);
  return {
    type: "media",
    filename: nameOf(file),
    mimeType: file.mime_type === "" ? null : file.mime_type,
    ...(file.is_sticker && { sticker: true }),
    ...(file.total_bytes > 0 && { sizeBytes: file.total_bytes }),
    ...(file.original_path !== "" && { source }),
    open: (signal) => openMacFile(settings, source, signal),
  };
}

function isVoiceMemo({ uti, transfer_name, filename }: ImsgAttachment): boolean {
  const name = lastOf(transfer_name) || lastOf(filename);
  return (
    /^Audio Message.*\.(caf|amr|m4a)$/i.test(name) ||
    (uti === "com.apple.coreaudio-format" && /\.caf$/i.test(name))
  );
}

function nameOf({ transfer_name, filename, original_path }: ImsgAttachment): string {
  return lastOf(transfer_name) || lastOf(filename) || lastOf(original_path) || "file";
}

function lastOf(path: string): string {
  return path.split("/").at(-1) ?? "";
}
