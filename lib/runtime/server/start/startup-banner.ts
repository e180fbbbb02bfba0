import "server-only";
import { type FirstRun, firstRunFile, readFirstRun } from "@/lib/runtime/server/start/first-run";

/**
 * Prints the URLs of the instance, and after creating the demo also how to send a first message. Credentials are
 * printed only in that case and only to a terminal, because logs are stored; other starts print the name of the file
 * with the credentials.
 */
export function printStartupBanner(dataDir: string, baseUrl: string, banner: Banner): void {
  process.stdout.write(welcomeText(dataDir, baseUrl, banner));
}

interface Banner {
  showCredentials: boolean;
  /** As the setting DASHBOARD. */
  dashboard: "on" | "off" | "build";
}

/** The text that `printStartupBanner` prints. */
export function welcomeText(
  dataDir: string,
  baseUrl: string,
  { showCredentials, dashboard }: Banner,
): string {
  const lines = ["", "  Trunkline is ready", "", urlRow(baseUrl, dashboard)];
  const demo = readFirstRun(dataDir);
  if (demo === "damaged") lines.push(...explainDamage(dataDir));
  else if (demo !== null)
    lines.push(...(showCredentials ? credentials(demo, dataDir, baseUrl) : whereToFind(demo, dataDir)));
  return `${lines.join("\n")}\n`;
}

function urlRow(baseUrl: string, dashboard: Banner["dashboard"]): string {
  if (dashboard === "off") return row("API", `${baseUrl}/v3`);
  const note = dashboard === "build" ? " (being built: about one minute; the API is ready)" : "";
  return row("Dashboard", baseUrl + note);
}

function whereToFind(demo: FirstRun, dataDir: string): string[] {
  return [row("Email", demo.admin.email), row("Credentials", `in ${firstRunFile(dataDir)}`), ""];
}

function explainDamage(dataDir: string): string[] {
  const remedy = "Set a password with `npm run admin -- reset-password`, or start with a new DATA_DIR.";
  return [row("Credentials", `${firstRunFile(dataDir)} is damaged. ${remedy}`), ""];
}

function credentials(demo: FirstRun, dataDir: string, baseUrl: string): string[] {
  const body = JSON.stringify({
    from: demo.line,
    to: [demo.phone],
    message: { parts: [{ type: "text", value: "Hello from Trunkline" }] },
  });
  return [
    row("Email", demo.admin.email),
    row("Password", demo.admin.password),
    "",
    row("API token", demo.token),
    row("iMessage line", demo.line),
    row("RCS line", demo.rcs_line),
    row("Phone", `${demo.phone} (simulated)`),
    "",
    row("Stored in", firstRunFile(dataDir)),
    "",
    "  Send a first message:",
    "",
    `curl -sS ${baseUrl}/v3/chats \\`,
    `  -H 'Authorization: Bearer ${demo.token}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${body}'`,
    "",
  ];
}

function row(label: string, value: string): string {
  return `  ${label.padEnd(14)} ${value}`;
}
