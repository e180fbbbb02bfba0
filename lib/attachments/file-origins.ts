import "server-only";
import { objectStore } from "@/lib/adapters/storage/registry";
import { cdnUrl } from "@/lib/platform/env";

/** The origins that browsers download files from and upload files to. A bucket receives uploads directly. */
export interface FileOrigins {
  shown: string;
  uploaded: string;
}

/** The origins of this instance's files. */
export async function fileOrigins(): Promise<FileOrigins> {
  const put = { contentType: "text/plain", sizeBytes: 1, ttlSeconds: 1 };
  const { url } = await objectStore().signPut("origin", put);
  return { shown: new URL(cdnUrl()).origin, uploaded: new URL(url).origin };
}
