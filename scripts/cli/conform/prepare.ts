import { CliError } from "@/scripts/cli/cli-error";
import { textMessage } from "@/scripts/cli/conform/areas/chat-steps";
import { codeOf, describeResponse } from "@/scripts/cli/conform/examine-response";
import type { Run } from "@/scripts/cli/conform/run";

interface NewAccount {
  token: string;
  phones: { from: string };
}

/** How many simulated people write to the line, so that lists have several pages. */
const PEOPLE = 3;

/**
 * Checks that the server and the token can be used, creates an account with simulated phones if asked to, and opens the
 * chat of the run. Errors: notRun.
 */
export async function prepare(run: Run, { to, phones }: { to?: string; phones: boolean }): Promise<void> {
  await requireService(run);
  if (phones) await openOwnAccount(run);
  await findLine(run);
  run.world.name = `conform-${run.world.unknownId.slice(0, 8)}`;
  run.world.messageKey = `conform-${run.world.unknownId}`;
  if (run.world.isOwn) await meetPeople(run);
  else if (to !== undefined) nameRecipient(run, to);
  await openChat(run);
}

async function requireService(run: Run): Promise<void> {
  const response = await run.call("GET /v3/phone_numbers");
  const { status, failure, request } = response;
  if (status === 0)
    throw new CliError("notRun", `The server does not respond (${failure}). Check the base URL.`);
  if (status === 401 || codeOf(response) === 2005) {
    throw new CliError("notRun", `The token is not accepted (${describeResponse(response)}). Check --token.`);
  }
  const isApi = typeof response.json === "object" && response.json !== null;
  if (status >= 400 || !isApi) {
    const base = "Name the part of the URL before /v3.";
    throw new CliError(
      "notRun",
      `${request} did not respond as the API does (${describeResponse(response)}). ${base}`,
    );
  }
}

/** Creates an account that ends by itself; without the simulator, nothing. */
async function openOwnAccount(run: Run): Promise<void> {
  const body = { name: "Conformance test", lines: 2 };
  const response = await run.http.send({ method: "POST", path: "/simulator/accounts", body });
  if (response.status !== 201) {
    const reason = `POST /simulator/accounts answered ${describeResponse(response)}`;
    return run.checks.skip("phones", "a simulated account", reason);
  }
  const { token, phones } = response.json as NewAccount;
  run.http.changeToken(token);
  run.world.isOwn = true;
  run.world.firstPhone = phones.from;
  // The run sends more than a person would.
  const limits = { daily_messages: null, pair_messages: null };
  await run.http.send({ method: "PUT", path: "/simulator/limits", body: limits });
}

async function findLine(run: Run): Promise<void> {
  const { json } = await run.call("GET /v3/phone_numbers");
  const { phone_numbers: lines = [] } = (json ?? {}) as {
    phone_numbers?: { id: string; phone_number: string }[];
  };
  const [line] = lines;
  if (line === undefined) return;
  run.world.line = line.phone_number;
  run.world.lineId = line.id;
}

/** Simulated people write first, as a sandbox requires. */
async function meetPeople(run: Run): Promise<void> {
  const first = Number(String(run.world.firstPhone).slice(1));
  for (let index = 0; index < PEOPLE; index++) {
    const handle = `+${first + index}`;
    nameRecipient(run, handle);
    await run.http.send({ method: "POST", path: "/simulator/phones", body: { handle, delay_ms: 0 } });
    await phoneSays(run, handle, "Hello");
  }
}

/** A simulated phone writes to the line of the run. */
export async function phoneSays(run: Run, handle: string, text: string) {
  const path = `/simulator/phones/${handle}/messages`;
  return await run.http.send({ method: "POST", path, body: { to: run.world.line, text } });
}

function nameRecipient(run: Run, handle: string): void {
  run.guard.name(handle);
  run.world.recipient = handle;
}

interface Opened {
  chat?: { id: string; handles?: { handle: string; is_me?: boolean | null }[]; message?: { id: string } };
}

/** Opens the chat with the recipient. The run writes into it only if the response names nobody else. */
async function openChat(run: Run): Promise<void> {
  const { line, recipient } = run.world;
  if (line === undefined || recipient === undefined) return;
  const response = await run.call("POST /v3/chats", {
    body: { from: line, to: [recipient], message: textMessage("Conformance test") },
  });
  const { chat } = (response.json ?? {}) as Opened;
  if (chat === undefined || response.status >= 300) {
    run.world.whyNoChat = `no chat with the recipient: ${describeResponse(response)}`;
    return;
  }
  const others = (chat.handles ?? []).filter(({ is_me }) => is_me !== true);
  if (others.length === 0 || others.some(({ handle }) => !run.guard.isNamed(handle))) {
    run.world.whyNoChat = "POST /v3/chats returned a chat with people who were not named";
    return;
  }
  run.guard.own(chat.id);
  run.world.chatId = chat.id;
  run.world.messageId = chat.message?.id;
  if (chat.message !== undefined) run.guard.own(chat.message.id);
}
