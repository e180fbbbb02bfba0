import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { CliError } from "@/scripts/cli/cli-error";

const Profile = z.object({ url: z.url(), token: z.string() });
const FirstRun = z.object({ base_url: z.url(), token: z.string() });
const Config = z.object({ profiles: z.record(z.string(), Profile) });

/** The URL of an instance and a token for it. */
export type Profile = z.infer<typeof Profile>;

const CONFIG_FILE = "config.json";
const OWNER_ONLY = 0o600;

/**
 * The directory of the command line's files: TRUNKLINE_CONFIG_DIR, or `trunkline` in the user's configuration
 * directory.
 */
function configDirectory(): string {
  const { TRUNKLINE_CONFIG_DIR, XDG_CONFIG_HOME, APPDATA } = process.env;
  if (TRUNKLINE_CONFIG_DIR) return TRUNKLINE_CONFIG_DIR;
  const ofSystem = process.platform === "win32" ? APPDATA : XDG_CONFIG_HOME;
  return path.join(ofSystem || path.join(homedir(), ".config"), "trunkline");
}

/** The saved profile; undefined when there is none. Errors: usage (the file is not valid). */
export function readProfile(name: string): Profile | undefined {
  return readConfig().profiles[name];
}

/** The demo account of the instance whose data is in DATA_DIR or `.data`; undefined when there is none. */
export function readLocalInstance(): Profile | undefined {
  const file = path.join(process.env.DATA_DIR || ".data", "first-run.json");
  const { data } = FirstRun.safeParse(readJson(file));
  return data === undefined ? undefined : { url: data.base_url, token: data.token };
}

/** Saves a profile, readable only by the user. Returns the path of the file. */
export function saveProfile(name: string, profile: Profile): string {
  const { profiles } = readConfig();
  return writePrivate(CONFIG_FILE, { profiles: { ...profiles, [name]: profile } });
}

/** Removes a profile. Returns whether it existed. */
export function removeProfile(name: string): boolean {
  const { [name]: removed, ...profiles } = readConfig().profiles;
  if (removed !== undefined) writePrivate(CONFIG_FILE, { profiles });
  return removed !== undefined;
}

/** The JSON of a file in the directory; undefined when it does not exist or is not JSON. */
export function readPrivate(name: string): unknown {
  return readJson(path.join(configDirectory(), name));
}

/** Replaces a file in the directory, readable only by the user. A crash leaves the old content. Returns its path. */
export function writePrivate(name: string, value: unknown): string {
  const file = path.join(configDirectory(), name);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${process.pid}`;
  try {
    writeFileSync(next, `${JSON.stringify(value, null, 2)}\n`, { mode: OWNER_ONLY });
    renameSync(next, file);
  } finally {
    rmSync(next, { force: true });
  }
  return file;
}

function readConfig(): z.infer<typeof Config> {
  const stored = readPrivate(CONFIG_FILE);
  if (stored === undefined) return { profiles: {} };
  const { data } = Config.safeParse(stored);
  if (data !== undefined) return data;
  const file = path.join(configDirectory(), CONFIG_FILE);
  throw new CliError("usage", `${file} is not valid. Correct or delete the file.`);
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
