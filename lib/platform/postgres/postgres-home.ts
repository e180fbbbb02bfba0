import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import path from "node:path";
import { createPrivateFile } from "./private-file.ts";

/** Root stores PostgreSQL's files here when PostgreSQL's user has no access to DATA_DIR. */
export const SYSTEM_DIRECTORY = "/var/lib/trunkline";

// PostgreSQL refuses to run as root. Every Unix has this unprivileged user.
const UNPRIVILEGED_USER = { uid: 65534, gid: 65534 };

export interface SystemUser {
  uid: number;
  gid: number;
}

/** One embedded PostgreSQL: its files, its passwords and the user that runs it. */
export interface PostgresHome {
  dataDir: string;
  /** Contains the cluster (`data`) and the log. */
  directory: string;
  /** The user that runs PostgreSQL. Undefined when it is this process's own user. */
  user: SystemUser | undefined;
  adminPassword: string;
  appPassword: string;
}

interface HomeRecord {
  /** Relative to DATA_DIR, so that DATA_DIR can be moved. Absolute when the files are elsewhere. */
  directory: string;
  adminPassword: string;
  appPassword: string;
}

/**
 * Opens the home of the PostgreSQL in `dataDir`, and creates it on the first call: `dataDir/postgres` and
 * `dataDir/postgres.json` (mode 0600, with the passwords and the location of the files). Throws when it can't be
 * used.
 */
export function openPostgresHome(dataDir: string, say: (line: string) => void): PostgresHome {
  makeDataDir(dataDir);
  const recordFile = path.join(dataDir, "postgres.json");
  if (!existsSync(recordFile)) requireNoCluster(dataDir, recordFile);
  const record = existsSync(recordFile) ? readRecord(recordFile) : createRecord(dataDir, recordFile, say);
  const directory = path.resolve(dataDir, record.directory);
  if (path.isAbsolute(record.directory)) requireExisting(directory, recordFile);
  else mkdirSync(directory, { recursive: true, mode: 0o700 });
  const user = isRoot() ? assignOwner(directory) : undefined;
  if (user !== undefined) requireReachable(directory, user);
  return { ...record, dataDir, directory, user };
}

/** Deletes the PostgreSQL files of a data directory, wherever they are. Its server must have exited. */
export function removePostgresHome(dataDir: string): void {
  const recordFile = path.join(dataDir, "postgres.json");
  if (!existsSync(recordFile)) return;
  rmSync(path.resolve(dataDir, readRecord(recordFile).directory), { recursive: true, force: true });
  rmSync(recordFile);
}

function makeDataDir(dataDir: string): void {
  // PostgreSQL's user needs access to this folder. Secret files in it have their own mode.
  if (isRoot()) makePassable(dataDir);
  else mkdirSync(dataDir, { recursive: true, mode: 0o700 });
}

/** Creates a folder that every user can enter, whatever this process's umask. An existing folder is not changed. */
export function makePassable(folder: string): void {
  if (existsSync(folder)) return;
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o711);
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function createRecord(dataDir: string, file: string, say: (line: string) => void): HomeRecord {
  const password = () => randomBytes(24).toString("hex");
  const directory = chooseDirectory(dataDir, say);
  const record: HomeRecord = { directory, adminPassword: password(), appPassword: password() };
  return createPrivateFile(file, `${JSON.stringify(record, null, 2)}\n`) ? record : readRecord(file);
}

/** A cluster accepts only the passwords it was created with, so new ones would never open it. */
function requireNoCluster(dataDir: string, recordFile: string): void {
  const cluster = path.join(dataDir, "postgres", "data");
  if (!existsSync(path.join(cluster, "PG_VERSION"))) return;
  throw new Error(
    `${recordFile} is missing. It has the passwords of the database in ${cluster}, which can't be opened without them. Restore the file, for example from a backup (postgres.json), or restore the whole backup into a new directory.`,
  );
}

function readRecord(file: string): HomeRecord {
  const advice = `The file has the location and the passwords of the embedded database. Restore it, for example from a backup (postgres.json).`;
  let record: Partial<HomeRecord> | null;
  try {
    record = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file} can't be read: ${error instanceof Error ? error.message : error}. ${advice}`);
  }
  const { directory, adminPassword, appPassword } = record ?? {};
  if (![directory, adminPassword, appPassword].every((value) => typeof value === "string" && value !== ""))
    throw new Error(`${file} is incomplete. ${advice}`);
  return record as HomeRecord;
}

function chooseDirectory(dataDir: string, say: (line: string) => void): string {
  const closed = isRoot() ? findClosedFolder(dataDir, UNPRIVILEGED_USER) : undefined;
  if (closed === undefined) return "postgres";
  const directory = path.join(SYSTEM_DIRECTORY, randomBytes(6).toString("hex"));
  makePassable(SYSTEM_DIRECTORY);
  mkdirSync(directory, { mode: 0o700 });
  say(
    `PostgreSQL does not run as root, and its user has no access to ${closed}. The database is stored in ${directory}: back up this directory together with ${dataDir}. To store both in one place, set DATA_DIR to a directory outside ${closed} before the first start, or start Trunkline as a user other than root.`,
  );
  return directory;
}

function requireExisting(directory: string, recordFile: string): void {
  if (existsSync(directory)) return;
  throw new Error(
    `The database of this data directory was stored in ${directory} (recorded in ${recordFile}), which no longer exists. Restore the directory, or delete ${recordFile} to start with an empty database.`,
  );
}

/** Gives the directory to the user that runs PostgreSQL: the cluster's owner, else UNPRIVILEGED_USER. */
function assignOwner(directory: string): SystemUser {
  const cluster = path.join(directory, "data");
  const owner = existsSync(cluster) ? statSync(cluster) : undefined;
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  if (owner !== undefined) {
    throw new Error(
      `${cluster} is owned by root, and PostgreSQL does not run as root. Change the owner: chown -R ${UNPRIVILEGED_USER.uid}:${UNPRIVILEGED_USER.gid} ${directory}`,
    );
  }
  chownSync(directory, UNPRIVILEGED_USER.uid, UNPRIVILEGED_USER.gid);
  return UNPRIVILEGED_USER;
}

function requireReachable(directory: string, user: SystemUser): void {
  const closed = findClosedFolder(directory, user);
  if (closed === undefined) return;
  throw new Error(
    `PostgreSQL runs as user ${user.uid}, which has no access to ${closed}. Move DATA_DIR to a directory outside ${closed}, or grant access: chmod o+x ${closed}`,
  );
}

/** The topmost folder on the path to `directory`, including itself, that `user` can't enter. */
function findClosedFolder(directory: string, user: SystemUser): string | undefined {
  const parts = realpathSync(directory).split(path.sep);
  const folders = parts.map((_, at) => parts.slice(0, at + 1).join(path.sep) || path.sep);
  return folders.find((folder) => !mayEnter(folder, user));
}

function mayEnter(folder: string, user: SystemUser): boolean {
  const { mode, uid, gid } = statSync(folder);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  if (gid === user.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}
