import type { Command } from "commander";
import type { ApiClient } from "@/scripts/cli/api-client";
import { clientOf, globalOptions, print, table } from "@/scripts/cli/cli-context";
import { CliError } from "@/scripts/cli/cli-error";
import { requireConfirmation } from "@/scripts/cli/prompts";
import type { OwnToken } from "@/scripts/cli/token-commands";

interface Snapshot {
  id: string;
  name: string;
  rows: number;
  bytes: number;
  created_at: string;
}

/** The options of a command that asks for confirmation, except with --yes. */
interface Confirmable {
  yes?: boolean;
}

const YES = ["-y, --yes", "do not ask for confirmation"] as const;
const KEPT = "Tokens, lines, webhook subscriptions, settings and files stay.";

/** Adds `snapshot` and `reset`, which store, replace and delete the state of a sandbox account. */
export function addStateCommands(program: Command): void {
  const snapshot = program
    .command("snapshot")
    .description("store the state of the account and return to it (sandbox)")
    .addHelpText(
      "after",
      `
Examples:
  trunkline snapshot create "after the first message"
  trunkline snapshot list
  trunkline snapshot restore "after the first message" --yes
  trunkline snapshot delete 019ca9c2-4c02-7c53-ad22-4d8e3f607182`,
    );
  addListAndCreate(snapshot);
  addRestoreAndDelete(snapshot);
  addReset(program);
}

function addListAndCreate(snapshot: Command): void {
  snapshot
    .command("list", { isDefault: true })
    .description("show the snapshots, newest first")
    .action(async (_: object, command: Command) => {
      const common = globalOptions(command);
      const snapshots = await listSnapshots(clientOf(common));
      print(common, { snapshots }, snapshots.length === 0 ? "No snapshots." : table(snapshots.map(toRow)));
    });

  snapshot
    .command("create")
    .description("store the state of the account under a name")
    .argument("<name>", "name of the snapshot, unique in the account")
    .action(async (name: string, _: object, command: Command) => {
      const common = globalOptions(command);
      const created = await clientOf(common).call<Snapshot>("POST /simulator/snapshots", { body: { name } });
      print(common, created, [`Snapshot  ${created.id}`, `Contains  ${sizeOf(created)}`]);
    });
}

function addRestoreAndDelete(snapshot: Command): void {
  snapshot
    .command("restore")
    .description("replace the state of the account with a snapshot")
    .argument("<snapshot>", "name or ID of the snapshot")
    .option(...YES)
    .action(async (wanted: string, { yes = false }: Confirmable, command: Command) => {
      const common = globalOptions(command);
      const client = clientOf(common);
      const { id, name } = await findSnapshot(client, wanted);
      await requireConfirmation(common, {
        yes,
        question: `Replace the state of ${await describeAccount(client)} with the snapshot "${name}"?`,
        consequence: "Nothing was changed.",
      });
      const restored = await client.call<Snapshot>(`POST /simulator/snapshots/${id}/restore`);
      print(common, restored, `Restored "${name}" (${sizeOf(restored)}).`);
    });

  snapshot
    .command("delete")
    .description("delete a snapshot; the state of the account does not change")
    .argument("<snapshot>", "name or ID of the snapshot")
    .option(...YES)
    .action(async (wanted: string, { yes = false }: Confirmable, command: Command) => {
      const common = globalOptions(command);
      const client = clientOf(common);
      const { id, name } = await findSnapshot(client, wanted);
      await requireConfirmation(common, {
        yes,
        question: `Delete the snapshot "${name}" of ${await describeAccount(client)}?`,
        consequence: "Nothing was deleted.",
      });
      await client.call(`DELETE /simulator/snapshots/${id}`);
      print(common, { deleted: id, name }, `Deleted "${name}".`);
    });
}

function addReset(program: Command): void {
  program
    .command("reset")
    .description("delete the chats, messages, events, phones and payments of the account (sandbox)")
    .option(...YES)
    .addHelpText(
      "after",
      `
${KEPT}

Examples:
  trunkline reset
  trunkline reset --yes --json`,
    )
    .action(async ({ yes = false }: Confirmable, command: Command) => {
      const common = globalOptions(command);
      const client = clientOf(common);
      const account = await describeAccount(client);
      await requireConfirmation(common, {
        yes,
        question: `Delete all chats, messages, events, phones and payments of ${account}? ${KEPT}`,
        consequence: "Nothing was deleted.",
      });
      await client.call("POST /simulator/reset");
      print(common, { reset: true }, `Reset ${account}.`);
    });
}

async function listSnapshots(client: ApiClient): Promise<Snapshot[]> {
  const { snapshots } = await client.call<{ snapshots: Snapshot[] }>("GET /simulator/snapshots");
  return snapshots;
}

/** Finds a snapshot by its ID or its name. Errors: failed. */
async function findSnapshot(client: ApiClient, wanted: string): Promise<Snapshot> {
  const snapshots = await listSnapshots(client);
  const found =
    snapshots.find(({ id }) => id === wanted.toLowerCase()) ?? snapshots.find(({ name }) => name === wanted);
  if (found !== undefined) return found;
  throw new CliError(
    "failed",
    `The account has no snapshot "${wanted}". Run \`trunkline snapshot list\` to see its snapshots.`,
  );
}

async function describeAccount(client: ApiClient): Promise<string> {
  const { account } = await client.call<OwnToken>("GET /v3/token");
  return `the account "${account.name}"`;
}

function sizeOf({ rows, bytes }: Snapshot): string {
  return `${rows} rows, ${Math.ceil(bytes / 1024)} KB`;
}

function toRow(snapshot: Snapshot): string[] {
  return [snapshot.created_at, snapshot.id, sizeOf(snapshot), snapshot.name];
}
