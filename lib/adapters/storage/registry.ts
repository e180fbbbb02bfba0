import "server-only";
import path from "node:path";
import { createDiskStore } from "@/lib/adapters/storage/disk/disk-store";
import type { ObjectStore } from "@/lib/adapters/storage/object-store";
import { createS3Store } from "@/lib/adapters/storage/s3/s3-store";
import { env, memoizePerEnv } from "@/lib/platform/env";

/**
 * The store of this instance: an S3 bucket if one is configured, else the disk. Throws when the bucket's keys are
 * missing.
 */
export const objectStore: () => ObjectStore = memoizePerEnv(createStore);

function createStore(): ObjectStore {
  const settings = env();
  const {
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = settings;
  if (bucket === undefined) return diskStoreIn(settings.DATA_DIR);
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new Error("S3_BUCKET requires S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY");
  }
  const region = settings.S3_REGION;
  const endpoint = settings.S3_ENDPOINT ?? `https://s3.${region}.amazonaws.com`;
  return createS3Store({
    bucket,
    accessKeyId,
    secretAccessKey,
    region,
    endpoint,
    pathStyle: settings.S3_PATH_STYLE,
  });
}

/** The store on disk in a data directory, or in a backup of one. */
export function diskStoreIn(directory: string): ObjectStore {
  return createDiskStore(path.resolve(directory, "objects"));
}
