import { spawnSync } from "node:child_process";
import { expect, test } from "@playwright/test";
import { PASSWORD } from "./invited-user";
import { firstRun, workerInstance } from "./test-instance";

function admin(...args: string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, ["scripts/admin.mjs", ...args], {
    encoding: "utf8",
    env: {
      ...process.env,
      DATA_DIR: workerInstance().dataDir,
      DATABASE_URL: "",
      BASE_URL: firstRun().base_url,
    },
  });
  return { stdout, stderr, status };
}

function idOf(output: string): string {
  return /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(output)?.[0] ?? "";
}

test("the admin command sets up a partner beside a running server, up to the first sign-in", async ({
  page,
}) => {
  // Each command starts a process, which takes a busy machine ten seconds.
  test.slow();
  const partner = idOf(admin("create-partner", "--name", "Acme").stdout);
  const account = idOf(
    admin("create-account", "--partner", partner, "--name", "trial", "--type", "sandbox").stdout,
  );
  const number = `+1555${Date.now() % 10_000_000}`.padEnd(12, "0");
  const numbered = ["--number", number, "--type", "iMessage"];
  expect(admin("create-line", "--account", account, ...numbered).status).toBe(0);
  const token = admin("create-token", "--account", account, "--name", "ci").stdout.split("\n")[0] ?? "";
  const email = `grace.${Date.now()}@example.com`;
  const invited = admin("create-user", "--partner", partner, "--email", email, "--name", "Grace").stdout;

  const lines = await fetch(`${firstRun().base_url}/v3/phone_numbers`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect((await lines.json()).phone_numbers).toMatchObject([
    { phone_number: number, line_type: "iMessage", status: "ACTIVE" },
  ]);
  expect(admin("list").stdout).toContain(email);

  const link = /https?:\/\/\S+\/welcome\/\S+/.exec(invited)?.[0] ?? "";
  await page.goto(link);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByRole("heading", { name: "Home", level: 1 })).toBeVisible();
});

test("the admin command says what is wrong and changes nothing", () => {
  const wrong = admin("create-account", "--partner", "not-an-id", "--name", "x", "--type", "sandbox");
  expect(wrong.status).toBe(1);
  expect(wrong.stderr).toContain("partner");
  expect(admin("no-such-command").status).toBe(1);
});
