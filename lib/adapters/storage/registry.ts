import "server-only";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createDiskStore, objectFile } from "@/lib/adapters/storage/disk/disk-store";
import type { ObjectStore } from "@/lib/adapters/storage/object-store";
import { createS3Store } from "@/lib/adapters/storage/s3/s3-store";
import { env, envWithoutDatabase, memoizePerEnv } from "@/lib/platform/env";

/**
 * The store of this instance: an S3 bucket if one is configured, else the disk. Throws when the bucket's keys are
 * missing.
 */
export const objectStore: () => ObjectStore = memoizePerEnv(
  () => openBucket(env()) ?? diskStoreIn(env().DATA_DIR),
);

/**
 * The bucket of the process's variables, for commands that run without a database. null without S3_BUCKET. Throws when
 * its keys are missing.
 */
export function configuredBucket(): ObjectStore | null {
  return openBucket(envWithoutDatabase());
}

function openBucket(settings: ReturnType<typeof envWithoutDatabase>): ObjectStore | null {
  const {
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = settings;
  if (bucket === undefined) return null;
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

const MARK =
  "The files of Trunkline's attachments. While this file is missing, a running instance reports that its files are lost.\n";

/**
 * Creates the folder of `diskStoreIn` with a file that only a start writes: an upload into a folder that was lost creates the
 * folder again, and not this file. Returns the paths of both, which must be writable.
 */
export function markFilesFolder(directory: string): [folder: string, mark: string] {
  const folder = path.resolve(directory, "objects");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const mark = path.join(folder, "README.txt");
  if (!existsSync(mark)) writeFileSync(mark, MARK, { mode: 0o600 });
  return [folder, mark];
}

/** The file of an object of `diskStoreIn`. */
export function objectFileIn(directory: string, key: string): string {
  return objectFile(path.resolve(directory, "objects"), key);
}
