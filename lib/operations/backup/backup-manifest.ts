import "server-only";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

const MANIFEST = "manifest.json";

/** Files that are part of a backup. */
const Copied = z.object({ count: z.int().min(0), bytes: z.int().min(0) });

/** The contents of a backup's `manifest.json`. */
const BackupManifest = z.object({
  format: z.literal(1),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  /** A copied data directory, or the file of pg_dump. */
  database: z.enum(["cluster", "dump"]),
  /** The version of the server that was backed up. */
  postgresVersion: z.string(),
  /** The name of the newest migration. */
  migration: z.string(),
  /** The last event when the backup began. The backup contains it. */
  lastEvent: z.string().regex(/^\d+$/),
  /** Where uploaded files were copied from. Older backups of a bucket have no count: their files were not copied. */
  files: z.discriminatedUnion("storage", [
    z.object({ storage: z.literal("disk"), ...Copied.shape }),
    z.object({
      storage: z.literal("s3"),
      bucket: z.string(),
      /** The bucket's provider, if it is not AWS. */
      endpoint: z.string().optional(),
      ...Copied.partial().shape,
    }),
  ]),
  /** Complete attachments whose file was missing, or had another size, when the backup was made. Older backups have none. */
  missingCount: z.int().min(0).default(0),
  /** The first of them. */
  missingFiles: z.array(z.string()).default([]),
  /** The ids of the keys in ENCRYPTION_KEY. The keys themselves are not part of the backup. */
  encryptionKeyIds: z.array(z.string()).min(1),
});

export type BackupManifest = z.infer<typeof BackupManifest>;

/** The number of files in a backup and their bytes. null when they stayed in the bucket, as in older backups. */
export function copiedFiles({ files }: BackupManifest): { count: number; bytes: number } | null {
  const { count, bytes } = files;
  return count === undefined || bytes === undefined ? null : { count, bytes };
}

/** Reads the manifest of a backup. Throws an Error that names the folder when there is no complete backup in it. */
export async function readManifest(backup: string): Promise<BackupManifest> {
  const file = manifestFile(backup);
  const text = await readFile(file, "utf8").catch(() => {
    throw new Error(
      `${backup} contains no backup: ${MANIFEST} is missing. Name a folder that a backup printed.`,
    );
  });
  const manifest = BackupManifest.safeParse(parseJson(text));
  if (manifest.success) return manifest.data;
  throw new Error(
    `${file} can't be read: ${z.prettifyError(manifest.error)}. The backup may be of a newer version of Trunkline.`,
  );
}

/** The file of a backup's manifest. It is written last, so a backup without it is incomplete. */
export function manifestFile(backup: string): string {
  return path.join(backup, MANIFEST);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
