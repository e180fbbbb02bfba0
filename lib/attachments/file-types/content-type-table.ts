/** The properties of a content type that files can have. */
export interface TypeRule {
  /** The types `detectType` can detect in bytes that are sent as this type. */
  detected: readonly string[];
  /** Extensions that a media `url` of this type can have. Without any, only pre-uploads can have the type. */
  extensions?: readonly string[];
  /** The current name of a deprecated type, used in responses and deliveries. */
  renamed?: string;
}

const LATE_PDFS = ["late-pdf", "late-pdf-markup", "late-pdf-prolog"];
const TEXTS = [
  "text/plain",
  "text/html",
  "text/vcard",
  "text/calendar",
  "application/json",
  "json-scalar",
  "application/xml",
  "image/svg+xml",
  // Markup whose first element lies beyond what is looked at.
  "markup",
  // Text before the first line of a PDF, or text about PDF.
  ...LATE_PDFS,
];
/** The documents that Office encrypts, and those that it saved before 2007, have another container. */
const OFFICE = "application/x-cfb";
const ISO_VIDEO = ["video/mp4", "video/x-m4v", "video/quicktime", "video/3gpp", "video/3gpp2"];
// All use the same container, whose first bytes do not always identify the content.
const ISO_AUDIO = ["audio/x-m4a", "audio/mp4", ...ISO_VIDEO];
const HEIF = ["image/heic", "image/heif", "image/heic-sequence", "image/heif-sequence"];
const MPEG = ["video/mpeg", "video/MP1S", "video/MP2P", "video/mp2t"];
const ZIPS = ["application/zip", "docx", "xlsx", "pptx", "ooxml", "iwork", "pkpass", "application/epub+zip"];

/**
 * Every supported type (docs/contract.md, section 10.1), with the types its bytes can be detected as. Other types are
 * 5004.
 */
export const CONTENT_TYPES = {
  "image/jpeg": { detected: ["image/jpeg"], extensions: ["jpg", "jpeg"] },
  "image/png": { detected: ["image/png"], extensions: ["png"] },
  "image/gif": { detected: ["image/gif"], extensions: ["gif"] },
  "image/heic": { detected: HEIF, extensions: ["heic"] },
  "image/heif": { detected: HEIF, extensions: ["heif"] },
  "image/tiff": { detected: ["image/tiff"], extensions: ["tif", "tiff"] },
  "image/bmp": { detected: ["image/bmp"], extensions: ["bmp"] },
  "image/svg+xml": { detected: ["image/svg+xml", "markup", "late-pdf-prolog"] },
  "image/webp": { detected: ["image/webp"] },
  "image/x-icon": { detected: ["image/x-icon"] },
  "video/mp4": { detected: ISO_VIDEO, extensions: ["mp4"] },
  "video/quicktime": { detected: ISO_VIDEO, extensions: ["mov"] },
  "video/mpeg": { detected: MPEG, extensions: ["mpeg", "mpg"] },
  "video/mpeg2": { detected: MPEG },
  "video/x-m4v": { detected: ISO_VIDEO, extensions: ["m4v"] },
  "video/x-msvideo": { detected: ["video/vnd.avi"] },
  "video/3gpp": { detected: ISO_VIDEO, extensions: ["3gp"] },
  "audio/mpeg": { detected: ["audio/mpeg"], extensions: ["mp3"] },
  "audio/mp3": { detected: ["audio/mpeg"], renamed: "audio/mpeg" },
  "audio/x-m4a": { detected: ISO_AUDIO, extensions: ["m4a"] },
  "audio/mp4": { detected: ISO_AUDIO, renamed: "audio/x-m4a" },
  "audio/x-caf": { detected: ["audio/x-caf"], extensions: ["caf"] },
  "audio/x-wav": { detected: ["audio/wav"], extensions: ["wav"] },
  "audio/x-aiff": { detected: ["audio/aiff"], extensions: ["aiff"] },
  "audio/aiff": { detected: ["audio/aiff"], renamed: "audio/x-aiff" },
  // Tags before the audio are those of MP3, and many programs give this name to AAC in an ISO container.
  "audio/aac": { detected: ["audio/aac", "audio/mpeg", ...ISO_AUDIO], extensions: ["aac"] },
  "audio/midi": { detected: ["audio/midi"] },
  "audio/amr": { detected: ["audio/amr"], extensions: ["amr"] },
  "application/vnd.apple.pkpass": { detected: ["pkpass"] },
  "application/pdf": { detected: ["application/pdf", ...LATE_PDFS], extensions: ["pdf"] },
  "text/plain": { detected: TEXTS, extensions: ["txt"] },
  "text/markdown": { detected: TEXTS },
  "text/vcard": { detected: ["text/vcard"], extensions: ["vcf"] },
  "text/rtf": { detected: ["application/rtf"], extensions: ["rtf"] },
  "text/csv": { detected: TEXTS, extensions: ["csv"] },
  "text/html": { detected: TEXTS, extensions: ["html", "htm"] },
  "text/calendar": { detected: ["text/calendar"], extensions: ["ics"] },
  "text/xml": {
    detected: [
      "application/xml",
      "text/html",
      "image/svg+xml",
      "markup",
      "late-pdf-markup",
      "late-pdf-prolog",
    ],
  },
  "application/json": { detected: ["application/json", "json-scalar"] },
  // Programs write HTML, XML and the parts of a mail (MHTML) for Word.
  "application/msword": { detected: [OFFICE, "application/rtf", "docx", ...TEXTS], extensions: ["doc"] },
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": {
    detected: ["docx", "ooxml", OFFICE],
    extensions: ["docx"],
  },
  "application/vnd.ms-excel": { detected: [OFFICE, "xlsx", ...TEXTS], extensions: ["xls"] },
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": {
    detected: ["xlsx", "ooxml", OFFICE],
    extensions: ["xlsx"],
  },
  "application/vnd.ms-powerpoint": { detected: [OFFICE, "pptx"], extensions: ["ppt"] },
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": {
    detected: ["pptx", "ooxml", OFFICE],
    extensions: ["pptx"],
  },
  "application/x-iwork-pages-sffpages": { detected: ["iwork"], extensions: ["pages"] },
  "application/x-iwork-numbers-sffnumbers": { detected: ["iwork"], extensions: ["numbers"] },
  "application/x-iwork-keynote-sffkey": { detected: ["iwork"], extensions: ["key"] },
  "application/epub+zip": { detected: ["application/epub+zip"], extensions: ["epub"] },
  "application/zip": { detected: ZIPS, extensions: ["zip"] },
  "application/x-gzip": { detected: ["application/gzip"] },
} as const satisfies Record<string, TypeRule>;
