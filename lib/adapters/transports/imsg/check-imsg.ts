import "server-only";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { SSH_FAILED, startImsg, stopImsg } from "@/lib/adapters/transports/imsg/imsg-process";
import { createRpc } from "@/lib/adapters/transports/imsg/imsg-rpc";
import type { ImsgSettings } from "@/lib/adapters/transports/imsg/imsg-settings";

const RESPONSE_MS = 12_000;
const NOT_FOUND = 127;

/** Why a line is down whose imsg can't read the database of Messages. */
export const UNREADABLE =
  "imsg can't read the messages. Give the program that starts it Full Disk Access, and sign in to Messages.";

const Status = z.object({
  database: z.object({ ready: z.boolean() }),
  bridge: z.object({ ready: z.boolean(), error: z.string().nullish() }).optional(),
  methods: z.array(z.string()),
});

/** The feature that each method of imsg carries. Most methods are usable only while the bridge runs. */
const FEATURES: readonly (readonly [method: string, feature: string])[] = [
  ["tapback", "reactions"],
  ["message.edit", "edits"],
  ["poll.send", "polls"],
  ["send.sticker", "stickers"],
  ["typing", "typing indicators"],
  ["read", "read receipts for the contact"],
  ["chats.create", "groups"],
  ["send.rich", "effects, replies and link previews"],
  ["send.attachment", "voice memos (sent as files)"],
  ["contacts.shareContactCard", "shared contact cards"],
  ["handles.check", "checks of who has iMessage"],
];

/**
 * Starts imsg once, on this machine or over SSH, and asks what it can do. Returns warnings about features that do not
 * work because the bridge is off. Throws AdapterError `rejected` with the reason and the remedy if imsg can't read the
 * messages.
 */
export async function checkImsg(settings: ImsgSettings): Promise<string[]> {
  const child = start(settings);
  const ended = Promise.race([once(child, "exit"), once(child, "error")]).catch((error: unknown) => [error]);
  const rpc = createRpc(child, () => undefined);
  try {
    const asked = rpc.request("initialize", { protocol_version: 1 }, RESPONSE_MS);
    const status = Status.parse(await asked);
    if (!status.database.ready) {
      throw new AdapterError("rejected", UNREADABLE);
    }
    return warningsOf(status);
  } catch (error) {
    if (error instanceof AdapterError && error.kind === "rejected") throw error;
    throw new AdapterError("rejected", await explainFailure({ child, ended, settings }, error));
  } finally {
    if (child.pid !== undefined && child.exitCode === null) await stopImsg(child);
  }
}

/** A process of imsg, with its exit code or its error once it has ended. */
interface Started {
  child: ChildProcessWithoutNullStreams;
  ended: Promise<unknown[]>;
  settings: ImsgSettings;
}

/** Returns the sentence that tells an operator why imsg can't be used, with the remedy. */
export async function explainFailure({ child, ended, settings }: Started, error: unknown): Promise<string> {
  const hasEnded = child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  return hasEnded ? endOf(await ended, settings) : problemOf(error);
}

function start(settings: ImsgSettings): ReturnType<typeof startImsg> {
  try {
    return startImsg(settings);
  } catch (error) {
    const remedy = settings.ssh_host === undefined ? " Check IMSG_COMMAND." : "";
    throw new AdapterError("rejected", `${problemOf(error)}.${remedy}`);
  }
}

function warningsOf({ bridge, methods }: z.infer<typeof Status>): string[] {
  const missing = FEATURES.flatMap(([method, feature]) => (methods.includes(method) ? [] : feature));
  if (missing.length === 0) return [];
  const cause =
    bridge?.ready === true
      ? "The bridge of imsg runs, but it can't do everything on this version of macOS."
      : `The bridge of imsg is off${bridge?.error == null ? "" : ` (${bridge.error})`}.`;
  const remedy = bridge?.ready === true ? "" : " To use these features, run `imsg launch` on the Mac.";
  return [
    `${cause} Texts and files are sent and received. These do not work: ${missing.join(", ")}.${remedy}`,
  ];
}

/** Returns the sentence for an error of imsg that runs, or that the system refuses to start. */
export function problemOf(error: unknown): string {
  if (error instanceof z.ZodError) return "The program is not imsg 0.15 or later.";
  return error instanceof Error ? error.message : String(error);
}

function endOf([end]: unknown[], { ssh_host }: ImsgSettings): string {
  if (end instanceof Error && "code" in end && end.code === "ENOENT") {
    return ssh_host === undefined
      ? "imsg is not installed on this machine. Set IMSG_COMMAND to its path."
      : "ssh is not installed on this machine.";
  }
  if (ssh_host !== undefined && end === SSH_FAILED) {
    return `ssh could not connect to ${ssh_host}. Check its name, the key of this machine's user and the Mac's Remote Login.`;
  }
  if (end === NOT_FOUND) return "imsg is not installed on the Mac. Set IMSG_COMMAND to its path there.";
  if (end === null) return "imsg was ended by a signal.";
  return `imsg ended with ${end instanceof Error ? end.message : `exit code ${String(end)}`}.`;
}
