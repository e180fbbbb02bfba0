import "server-only";
import { z } from "zod";
import { CONTENT_TYPES, type TypeRule } from "@/lib/attachments/file-types/content-type-table";
import type { ErrorName } from "@/lib/platform/errors/errors";

type ContentType = keyof typeof CONTENT_TYPES;

const NAMES = Object.keys(CONTENT_TYPES) as [ContentType, ...ContentType[]];
const RULES: ReadonlyMap<string, TypeRule> = new Map(Object.entries(CONTENT_TYPES));

/** A supported content type. Any other type, including FLAC, OGG and executables, is file_type_invalid. */
export const SupportedContentType = z
  .string()
  .refine((name) => RULES.has(name), {
    error: "must be a supported content type",
    params: { error: "file_type_invalid" satisfies ErrorName },
  })
  .meta({
    id: "SupportedContentType",
    enum: NAMES,
    description: "MIME type of a file. Other types, FLAC, OGG and executables among them, fail with 5004.",
    examples: ["image/png"],
  });

const BY_EXTENSION: ReadonlyMap<string, ContentType> = new Map(
  NAMES.flatMap((name) => (RULES.get(name)?.extensions ?? []).map((extension) => [extension, name] as const)),
);

/** The content type of a media URL's extension, or null when the extension is not accepted. */
export function typeOfExtension(extension: string): ContentType | null {
  return BY_EXTENSION.get(extension.toLowerCase()) ?? null;
}

/**
 * The type and the extension assumed for bytes without a declared type: the detected type, else the first entry of
 * the list that matches.
 */
export function typeOfBytes(detected: string): { contentType: ContentType; extension: string } | null {
  for (const name of [...NAMES.filter((own) => own === detected), ...NAMES]) {
    const { detected: fitting, extensions } = RULES.get(name) ?? { detected: [] };
    const [extension] = extensions ?? [];
    if (extension !== undefined && fitting.includes(detected)) return { contentType: name, extension };
  }
  return null;
}

/** The extension of a type, or null for a type that is not on the list or that media URLs can't have. */
export function extensionOf(contentType: string): string | null {
  return RULES.get(contentType)?.extensions?.[0] ?? null;
}

/** Whether bytes detected as `detected` can be sent as `contentType`. */
export function fitsType(contentType: string, detected: string | null): boolean {
  return detected !== null && (RULES.get(contentType)?.detected.includes(detected) ?? false);
}

/** Whether a type is on the specification's list. */
export function isSupported(contentType: string): boolean {
  return RULES.has(contentType);
}

/** The name of a type in responses and deliveries: deprecated audio names become the current ones. */
export function currentName(contentType: string): string {
  return RULES.get(contentType)?.renamed ?? contentType;
}
