import "server-only";
import { docsUrl } from "@/lib/platform/env";

/**
 * The `doc_url` of an error code: the URL of its page in this instance's documentation (docs/contract.md, section 3.1).
 */
export function errorDocUrl(code: number): string {
  return `${docsUrl()}/error/codes/${String(code).slice(0, 1)}xxx/${code}/`;
}
