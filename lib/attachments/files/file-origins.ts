import "server-only";
import { objectStore } from "@/lib/adapters/storage/registry";
import { cdnUrl } from "@/lib/platform/env";

/** The origins that browsers download files from and upload files to. */
export interface FileOrigins {
  shown: string;
  uploaded: string;
}

/**
 * The origins of this instance's files. Uploads may go to the bucket, if one is set, at any time: the bucket that does not
 * answer, or that was not checked, at the start may take them later. Asks nothing.
 */
export function fileOrigins(): FileOrigins {
  const shown = new URL(cdnUrl()).origin;
  return { shown, uploaded: objectStore().uploadOrigin ?? shown };
}
