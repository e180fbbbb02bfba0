import "server-only";
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { firstRunFile } from "@/lib/server/seed-demo";

const FirstRun = z.object({
  base_url: z.string(),
  token: z.string(),
  line: z.string(),
  rcs_line: z.string(),
  phone: z.string(),
  admin: z.object({ email: z.string(), password: z.string() }),
});

/** What the demo was made with, as `first-run.json` holds it. */
export type FirstRun = z.infer<typeof FirstRun>;

/** Prints where everything is: after a first start on the embedded database also how to send a first message. */
export function greet(dataDir: string, baseUrl: string): void {
  const demo = readFirstRun(dataDir);
  process.stdout.write(
    demo === null ? `\n  Trunkline is ready\n\n${row("Dashboard", baseUrl)}\n` : demoText(demo, baseUrl),
  );
}

function demoText(demo: FirstRun, baseUrl: string): string {
  const body = JSON.stringify({
    from: demo.line,
    to: [demo.phone],
    message: { parts: [{ type: "text", value: "Hello from Trunkline" }] },
  });
  return [
    "",
    "  Trunkline is ready",
    "",
    row("Dashboard", baseUrl),
    row("E-mail", demo.admin.email),
    row("Password", demo.admin.password),
    "",
    row("API token", demo.token),
    row("iMessage line", demo.line),
    row("RCS line", demo.rcs_line),
    row("Phone", `${demo.phone} (simulated)`),
    "",
    "  Send a first message:",
    "",
    `curl -sS ${baseUrl}/v3/chats \\`,
    `  -H 'Authorization: Bearer ${demo.token}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${body}'`,
    "",
    "",
  ].join("\n");
}

function row(label: string, value: string): string {
  return `  ${label.padEnd(14)} ${value}`;
}

function readFirstRun(dataDir: string): FirstRun | null {
  const file = firstRunFile(dataDir);
  return existsSync(file) ? FirstRun.parse(JSON.parse(readFileSync(file, "utf8"))) : null;
}
