import { readFile } from "node:fs/promises";
import { z } from "zod";
import { moveLine } from "@/lib/lines/assignment/move-line";
import { releaseLine } from "@/lib/lines/assignment/release-line";
import { requireTransport } from "@/lib/lines/connections/require-transport";
import { createLine } from "@/lib/lines/lines/create-line";
import { setLineStatus } from "@/lib/lines/lines/set-line-status";
import { connectLine } from "@/lib/lines/transports/connect-line";
import { getLineTransport } from "@/lib/lines/transports/get-line-transport";
import { type TestLineTransport, testLineTransport } from "@/lib/lines/transports/test-line-transport";
import type { AccountRef, Context } from "@/lib/platform/context";
import type { Input } from "@/lib/platform/contract";
import { prisma } from "@/lib/platform/database/db";
import { baseUrl } from "@/lib/platform/env";
import { ApiError } from "@/lib/platform/errors/errors";
import { LineStatus } from "@/lib/platform/prisma/enums";
import { PhoneNumber } from "@/lib/platform/text/phone-handle";
import { type Commands, findAccount, systemContext, toAccountRef } from "@/scripts/admin/command";
import { EXIT } from "@/scripts/cli/cli-error";

const LineOptions = z.object({
  account: z.uuid(),
  number: PhoneNumber,
  type: z.enum(["iMessage", "RCS"]),
  transport: z.string().default("simulator"),
});

export const LINE_COMMANDS: Commands = {
  "create-line": async (options) => {
    const { account, number, type, transport } = LineOptions.parse(options);
    const owner = await findAccount(account);
    requireTransport(owner, transport);
    const line = await createLine(owner, {
      phoneNumber: number,
      lineType: type,
      transport,
    });
    return `line ${line.id}  ${number} (${type}, ${transport})`;
  },
  "connect-line": async (options) => {
    const { line, file } = z.object({ line: z.uuid(), file: z.string() }).parse(options);
    const settings = await readSettings(file);
    const { account, phoneNumber } = await findLine(line);
    await connectLine(systemContext(account), line, settings);
    return `line ${line}  ${phoneNumber} is connected. Callback URL: ${baseUrl()}/inbound/lines/${line}`;
  },
  "set-line-status": async (options) => {
    const { line, status } = z.object({ line: z.uuid(), status: z.enum(LineStatus) }).parse(options);
    const { account, phoneNumber } = await findLine(line);
    await setLineStatus(systemContext(account), line, status);
    return `line ${line}  ${phoneNumber} is ${status}`;
  },
  "check-line": async (options) => {
    const { line } = z.object({ line: z.uuid() }).parse(options);
    const { account, phoneNumber } = await findLine(line);
    const checks = await checkConnections(systemContext(account), line);
    const failed = checks.filter(({ mark }) => mark === "FAIL").length;
    if (failed > 0) process.exitCode = EXIT.unhealthy;
    return [
      `line ${line}  ${phoneNumber}`,
      ...checks.map(({ mark, text }) => `${mark}  ${text}`),
      failed === 0 ? "No connection failed." : `${failed} failed.`,
    ].join("\n");
  },
  "move-line": async (options) => {
    const { line, to } = z.object({ line: z.uuid(), to: z.uuid() }).parse(options);
    const { account, phoneNumber } = await findLine(line);
    const input = { params: { lineId: line }, body: { account_id: to } };
    const moved = await moveLine(systemContext(account), input);
    return `line ${moved.id}  ${phoneNumber} belongs to account ${moved.account_id}`;
  },
  "release-line": async (options) => {
    const { line } = z.object({ line: z.uuid() }).parse(options);
    const { account, phoneNumber } = await findLine(line);
    const input = { params: { lineId: line }, query: undefined, body: undefined };
    await releaseLine(systemContext(account), input);
    return `line ${line}  ${phoneNumber} is released`;
  },
};

interface ConnectionCheck {
  mark: "ok  " | "warn" | "FAIL" | "skip";
  text: string;
}

/** Tests each connection of a line with its stored settings, as Test connection in the dashboard does. */
async function checkConnections(ctx: Context, lineId: string): Promise<ConnectionCheck[]> {
  const params = { lineId };
  const { connections } = await getLineTransport(ctx, { params });
  const checks: ConnectionCheck[] = [];
  for (const { position, transport, is_active, settings } of connections) {
    const name = `connection ${position + 1}, ${transport}${is_active ? ", in use" : ""}`;
    const body = { position, transport, settings };
    const { works, reason, warnings } = await testStored(ctx, { params, query: undefined, body });
    if (works === null) checks.push({ mark: "skip", text: `${name}: can't be tested without using it` });
    else if (works) checks.push({ mark: "ok  ", text: `${name}: works` });
    else checks.push({ mark: "FAIL", text: `${name}: ${reason}` });
    checks.push(...warnings.map((warning) => ({ mark: "warn" as const, text: `${name}: ${warning}` })));
  }
  return checks;
}

/** Tests a connection. Stored settings that its transport does not accept are a failed test. */
async function testStored(ctx: Context, input: Input<typeof TestLineTransport>) {
  try {
    return await testLineTransport(ctx, input);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { works: false, reason: error.message, warnings: [] };
  }
}

async function readSettings(file: string): Promise<Record<string, string>> {
  const text = await readFile(file, "utf8");
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(text));
  } catch {
    throw new Error(`${file} must contain a JSON object whose values are strings`);
  }
}

async function findLine(id: string): Promise<{ account: AccountRef; phoneNumber: string }> {
  const line = await prisma().line.findFirst({ where: { id }, include: { account: true } });
  if (line === null) throw new Error(`no line has the ID ${id}: see \`npm run admin -- list\``);
  return { account: toAccountRef(line.account), phoneNumber: line.phoneNumber };
}
