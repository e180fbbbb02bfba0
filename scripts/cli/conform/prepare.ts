import { z } from "zod";
import { CliError } from "@/scripts/cli/cli-error";
import { textMessage } from "@/scripts/cli/conform/areas/chat-steps";
import { codeOf, describeResponse } from "@/scripts/cli/conform/examine-response";
import { protectExisting, protectMessages } from "@/scripts/cli/conform/protect-existing";
import type { Run } from "@/scripts/cli/conform/run";
import { idAt, textAt, valueAt } from "@/scripts/cli/conform/value-at";

/** Simulated phones have numbers for fiction, +1 NPA 555-01XX, which no telephone has. */
const NewAccount = z.object({
  token: z.string().regex(/^[\x21-\x7e]+$/),
  phones: z.object({ from: z.string().regex(/^\+1\d{3}55501([0-8]\d|9[0-6])$/) }),
});
const LINES = "GET /v3/phone_numbers";
const OPEN = "POST /v3/chats";
const READ = "GET /v3/chats/{chatId}";
const NUMBER = /^\+[1-9]\d{6,14}$/;
/** The statuses of a server without the simulator. */
const NO_SIMULATOR = [404, 405];

/** How many simulated people write to the line, so that lists have several pages. */
export const PEOPLE = 3;

/**
 * Checks that the server and the token can be used, creates an account with simulated phones if asked to, notes what exists
 * before the run, and opens the chat of the run. Errors: notRun.
 */
export async function prepare(run: Run, { to, phones }: { to?: string; phones: boolean }): Promise<void> {
  const lines = await requireService(run);
  const own = phones ? await openOwnAccount(run, numbersOf(lines)) : null;
  findLine(run, own === null ? lines : own.lines);
  await protectExisting(run);
  run.world.name = `conform-${run.world.unknownId.slice(0, 8)}`;
  run.guard.own(run.world.name);
  run.world.messageKey = `conform-${run.world.unknownId}`;
  if (run.world.isOwn) await meetPeople(run);
  else if (to !== undefined) nameRecipient(run, to);
  await openChat(run);
}

/** Returns the lines of the account, as the server lists them. */
async function requireService(run: Run): Promise<unknown> {
  if (!run.operations.has(LINES)) throw new CliError("notRun", `The document has no operation ${LINES}.`);
  const response = await run.call(LINES);
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
  return response.json;
}

function numbersOf(json: unknown): string[] {
  const lines = valueAt(json, "phone_numbers");
  return Array.isArray(lines) ? lines.flatMap((line) => textAt(line, "phone_number") ?? []) : [];
}

/**
 * Creates an account that ends by itself. Returns its lines, as the server lists them; null without the simulator. `known`: the
 * numbers of the account of --token.
 */
async function openOwnAccount(run: Run, known: readonly string[]): Promise<{ lines: unknown } | null> {
  const body = { name: "Conformance test", lines: 2 };
  const response = await run.http.send({ method: "POST", path: "/simulator/accounts", body });
  if (response.status !== 201) {
    const reason = `POST /simulator/accounts answered ${describeResponse(response)}`;
    if (NO_SIMULATOR.includes(response.status)) {
      run.checks.skip("phones", "a simulated account", reason);
      return null;
    }
    throw new CliError("notRun", `${reason}: there is no account of the run's own. Omit --phones.`);
  }
  const { data } = NewAccount.safeParse(response.json);
  if (data === undefined) {
    const reason = "POST /simulator/accounts returned no account with a token and fictional numbers.";
    throw new CliError("notRun", reason);
  }
  const isOther = run.http.changeToken(data.token);
  const { json } = await run.call(LINES);
  if (!isOther || numbersOf(json).some((number) => known.includes(number))) {
    throw new CliError(
      "notRun",
      "POST /simulator/accounts returned the account of the token, not a new one.",
    );
  }
  run.world.isOwn = true;
  run.world.firstPhone = data.phones.from;
  // The run sends more than a person would.
  const limits = { daily_messages: null, pair_messages: null };
  await run.http.send({ method: "PUT", path: "/simulator/limits", body: limits });
  return { lines: json };
}

function findLine(run: Run, lines: unknown): void {
  const [line, lineId] = [textAt(lines, "phone_numbers.0.phone_number"), idAt(lines, "phone_numbers.0.id")];
  if (line === undefined || lineId === undefined || !NUMBER.test(line)) return;
  run.guard.addLine(line);
  run.world.line = line;
  run.world.lineId = lineId;
}

/** Simulated people write first, as a sandbox requires. */
async function meetPeople(run: Run): Promise<void> {
  for (let index = 0; index < PEOPLE; index++) {
    const handle = await addPhone(run, index);
    if (handle === null) return;
    run.world.recipient = handle;
    await phoneSays(run, handle, "Hello");
  }
}

/** Creates a simulated phone, which may be written to. Returns its number; null if the server has not created it. */
export async function addPhone(run: Run, index: number): Promise<string | null> {
  const handle = `+${Number(String(run.world.firstPhone).slice(1)) + index}`;
  const body = { handle, delay_ms: 0 };
  const response = await run.http.send({ method: "POST", path: "/simulator/phones", body });
  if (response.status >= 200 && response.status < 300) {
    run.guard.name(handle);
    return handle;
  }
  const subject = { area: "phones", name: "a simulated phone", section: "1.1" } as const;
  const problems = [`POST /simulator/phones answered ${describeResponse(response)}`];
  run.add({ ...subject, expected: "a success" }, { problems });
  return null;
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

/** Opens the chat with the recipient. The run writes into it only if the response names no one else. */
async function openChat(run: Run): Promise<void> {
  const { line, recipient } = run.world;
  if (recipient === undefined) return;
  if (line === undefined) {
    run.world.whyNoChat = "the account has no line with a phone number";
    return;
  }
  if (![OPEN, READ].every((op) => run.operations.has(op))) {
    run.world.whyNoChat = `the document has no operation ${OPEN} or ${READ}`;
    return;
  }
  await protectMessages(run, { line, recipient });
  const response = await run.call(OPEN, {
    body: { from: line, to: [recipient], message: textMessage("Conformance test") },
  });
  const chatId = idAt(response.json, "chat.id");
  if (chatId === undefined || response.status >= 300) {
    run.world.whyNoChat = `no chat with the recipient: ${describeResponse(response)}`;
    return;
  }
  const read = await run.call(READ, { path: { chatId } });
  const isNamed = run.guard.ownChatOf(response.json) && run.guard.peopleOf(read.json) === "named";
  if (!isNamed) {
    run.world.whyNoChat = "POST /v3/chats returned a chat with people who were not named";
    return;
  }
  run.world.chatId = chatId;
  run.world.openingId = idAt(response.json, "chat.message.id");
  run.world.messageId = run.world.openingId;
}
