import "server-only";
import {
  currentName,
  extensionOf,
  fitsType,
  isSupported,
  typeOfBytes,
} from "@/lib/attachments/file-types/content-types";

const UNKNOWN = "application/octet-stream";
const MIME = /^[a-z]+\/[a-z0-9][a-z0-9.+-]{0,100}$/;
const HAS_EXTENSION = /\.[A-Za-z0-9]{1,7}$/;

/** Extensions of types that media URLs can't have, or that the subtype does not name. */
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ["application/json", "json"],
  ["application/vnd.apple.pkpass", "pkpass"],
  ["application/x-gzip", "gz"],
  ["audio/midi", "mid"],
  ["image/svg+xml", "svg"],
  ["image/x-icon", "ico"],
  ["text/markdown", "md"],
  ["text/xml", "xml"],
  ["video/x-msvideo", "avi"],
]);

/**
 * The name and the type of a file that a person sent. No one can correct it, so the type of its bytes wins over a wrong or
 * generic one, and a type that the API does not know is kept as it is. A name without an extension gets one.
 */
export function receivedType(
  filename: string,
  declared: string | null,
  detected: string | null,
): { filename: string; contentType: string } {
  const contentType = typeOf(normalType(declared), detected);
  return {
    contentType,
    filename: HAS_EXTENSION.test(filename) ? filename : `${filename}.${endingOf(contentType)}`,
  };
}

function typeOf(declared: string | null, detected: string | null): string {
  const isKnown = declared !== null && isSupported(declared);
  if (isKnown && (detected === null || fitsType(declared, detected))) return currentName(declared);
  if (detected === null) return declared ?? UNKNOWN;
  const known = isSupported(detected) ? detected : typeOfBytes(detected)?.contentType;
  if (known !== undefined) return currentName(known);
  // The bytes show the container, such as Ogg, and the vendor may say what is in it.
  const found = normalType(detected);
  return found === null || subtypeOf(found) === subtypeOf(declared) ? (declared ?? UNKNOWN) : found;
}

/** A type as a vendor writes it: lower case, without parameters. null for a generic one and for none. */
export function normalType(declared: string | null): string | null {
  const [type = ""] = (declared ?? "").toLowerCase().split(";");
  const name = type.trim();
  return MIME.test(name) && !name.endsWith("/octet-stream") ? name : null;
}

function subtypeOf(type: string | null): string | undefined {
  return type?.replace(/^.*\//, "");
}

function endingOf(contentType: string): string {
  const subtype = contentType.replace(/^.*\/(x-)?/, "");
  return (
    extensionOf(contentType) ??
    EXTENSIONS.get(contentType) ??
    (/^[a-z0-9]{2,5}$/.test(subtype) ? subtype : "bin")
  );
}
