import { previewBlockImport } from "@/lib/recipients/blocks/import-blocks";
import { PreviewBlockImport } from "@/lib/recipients/imports/preview-import";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(PreviewBlockImport, previewBlockImport, authenticateSession);
