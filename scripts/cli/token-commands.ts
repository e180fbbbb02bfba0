import type { Command } from "commander";
import { createApiClient } from "@/scripts/cli/api-client";
import { clientOf, connectionOf, type GlobalOptions, globalOptions, print } from "@/scripts/cli/cli-context";
import { CliError } from "@/scripts/cli/cli-error";
import { answered, loadPrompts, mayAsk } from "@/scripts/cli/prompts";
import { removeProfile, saveProfile } from "@/scripts/cli/settings";

/** The response of GET /v3/token. */
export interface OwnToken {
  token: {
    id: string;
    name: string;
    scopes: string[];
    created_at: string;
    expires_at: string | null;
  };
  account: { id: string; name: string; type: "sandbox" | "production"; expires_at: string | null };
  partner: { id: string; name: string };
}

/** Adds `token` and `whoami`. */
export function addTokenCommands(program: Command): void {
  program
    .command("token")
    .description("check an API token and save it for later commands, readable only by you")
    .argument("[token]", "API token (asked for if absent; - reads standard input)")
    .option("--remove", "remove the saved token")
    .addHelpText(
      "after",
      `
Examples:
  trunkline token                                  asks for the URL and the token
  cat token.txt | trunkline token -                keeps the token out of your shell history
  trunkline token - --url https://example.com --profile production < token.txt`,
    )
    .action(async (token: string | undefined, options: { remove?: true }, command: Command) => {
      const common = globalOptions(command);
      if (options.remove === true) return removeSaved(common);
      await saveToken(common, token ?? common.token);
    });

  program
    .command("whoami")
    .description("show the account, the token and its scopes")
    .action(async (_: object, command: Command) => {
      const common = globalOptions(command);
      const client = clientOf(common);
      const own = await client.call<OwnToken>("GET /v3/token");
      print(common, { url: client.url, ...own }, describeToken(client.url, own));
    });
}

function describeToken(url: string, { token, account, partner }: OwnToken): string[] {
  return [
    `Instance  ${url}`,
    `Partner   ${partner.name}`,
    `Account   ${account.name} (${account.type})${account.expires_at === null ? "" : `, expires ${account.expires_at}`}`,
    `Token     ${token.name}, ${token.expires_at === null ? "does not expire" : `expires ${token.expires_at}`}`,
    `Scopes    ${token.scopes.length === 0 ? "full access" : token.scopes.join(", ")}`,
  ];
}

async function saveToken(common: GlobalOptions, given: string | undefined): Promise<void> {
  const connection = given === undefined ? await ask(common) : await take(common, given);
  const own = await createApiClient(connection).call<OwnToken>("GET /v3/token");
  const file = saveProfile(common.profile, connection);
  const { url } = connection;
  print(common, { url, profile: common.profile, file, ...own }, [
    ...describeToken(url, own),
    `Saved in  ${file}`,
  ]);
}

async function take(common: GlobalOptions, given: string) {
  const token = given === "-" ? (await readInput()).trim() : given;
  if (token === "") throw new CliError("usage", "Standard input has no token.");
  return { url: connectionOf(common).url, token };
}

const NOT_SAVED = "Nothing was saved.";

async function ask(common: GlobalOptions) {
  if (!mayAsk(common)) {
    throw new CliError("usage", "Pass the token as an argument, or - to read it from standard input.");
  }
  const { url } = connectionOf(common);
  const { intro, outro, password, text } = await loadPrompts();
  intro("Save an API token");
  const typed = await text({ message: "URL of the instance", initialValue: url, validate: checkUrl });
  const address = await answered<string>(typed, NOT_SAVED);
  const secret = await password({ message: "API token (dashboard, API tokens)" });
  const token = await answered<string>(secret, NOT_SAVED);
  outro("Checking the token");
  return { url: address, token };
}

function checkUrl(value: string | undefined): string | undefined {
  return URL.canParse(value ?? "") ? undefined : "Enter a URL, for example http://localhost:3000";
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function removeSaved(common: GlobalOptions): void {
  const removed = removeProfile(common.profile);
  const line = removed
    ? `Removed the token of ${common.profile}.`
    : `No token is saved for ${common.profile}.`;
  print(common, { profile: common.profile, removed }, line);
}
