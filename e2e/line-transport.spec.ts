import { expectAccessible } from "./accessible";
import { signInInvited } from "./invited-user";
import { sendRequest } from "./partner-program";
import { expect, test } from "./signed-in";
import { firstRun } from "./test-instance";

const SECRET = "a-secret-auth-token";

/** The page of the demo's line for its transport. */
async function transportPage(): Promise<string> {
  const { body } = await sendRequest("GET /v3/phone_numbers");
  const line = body.phone_numbers.find(
    ({ phone_number }: { phone_number: string }) => phone_number === firstRun().line,
  );
  return `/lines/${line.id}/transport`;
}

test("an operator adds a connection, tests it, never sees its secret again, and removes it", async ({
  page,
}) => {
  const path = await transportPage();
  await page.goto(path.replace("/transport", ""));
  await page.getByRole("link", { name: "Transport", exact: true }).click();
  await expect(page.getByText("The line sends over simulator.")).toBeVisible();

  await page.getByRole("button", { name: "Add connection" }).click();
  await page.getByRole("combobox", { name: "Transport" }).last().click();
  await page.getByRole("option", { name: "twilio" }).click();
  await page.getByLabel("Account SID").fill("AC1");
  await page.getByLabel("Auth token").fill(SECRET);
  await page.getByLabel("API URL").fill("http://127.0.0.1:1");
  await page.getByRole("button", { name: "Save connection" }).last().click();
  await expect(page.getByText("Account SID: must be AC and 32 hexadecimal digits")).toBeVisible();

  await page.getByLabel("Account SID").fill(`AC${"0".repeat(32)}`);
  const throughput = page.getByLabel("Throughput");
  await expect(throughput).toHaveAttribute("placeholder", "10");
  await throughput.fill("0.01");
  await page.getByRole("button", { name: "Save connection" }).last().click();
  await expect(page.getByText(/Throughput: Too small/)).toBeVisible();
  await throughput.fill("0.5");
  await page.getByRole("button", { name: "Test connection" }).last().click();
  await expect(page.getByText(/The connection does not work: 127.0.0.1:1 is not allowed/)).toBeVisible();
  await page.getByRole("button", { name: "Save connection" }).last().click();

  const standby = page.getByRole("region", { name: "Connection 2" });
  await expect(standby.getByPlaceholder("Stored. Leave empty to keep it.")).toHaveValue("");
  await page.reload();
  await expect(standby.getByLabel("Account SID")).toHaveValue(`AC${"0".repeat(32)}`);
  await expect(standby.getByLabel("Throughput")).toHaveValue("0.5");
  expect(await page.content()).not.toContain(SECRET);
  await expectAccessible(page, { widths: [1280, 390] });

  const seconds = page.getByLabel("Fail over after (seconds)");
  const read = Promise.withResolvers<void>();
  await page.route("**/transport", async (route) => {
    if (route.request().method() === "GET") await read.promise;
    await route.continue();
  });
  await seconds.fill("60");
  const changed = page.waitForResponse((response) => response.request().method() === "PATCH");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await changed;
  // The person types on while the page still reads what was saved.
  await seconds.fill("90");
  read.resolve();
  await expect(page.getByText("Failover saved")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save", exact: true })).toBeEnabled();
  await expect(seconds).toHaveValue("90");
  await seconds.fill("");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(seconds).toHaveValue("");
  await expect(page.getByRole("button", { name: "Save", exact: true })).toBeDisabled();

  await page.getByRole("button", { name: "Remove connection 2" }).click();
  await page.getByRole("button", { name: "Remove connection", exact: true }).click();
  await expect(standby).toBeHidden();
});

test("the warnings of a connection that works are shown below the result", async ({ page }) => {
  // The instance has no Mac. The server's part is tested in check-imsg.test.ts.
  await page.route("**/transport/test", (route) =>
    route.fulfill({ json: { works: true, reason: null, warnings: ["The bridge of imsg is off."] } }),
  );
  await page.goto(await transportPage());
  await page.getByRole("button", { name: "Test connection" }).first().click();
  await expect(page.getByText("The connection works.")).toBeVisible();
  await expect(page.getByText("The bridge of imsg is off.")).toBeVisible();
  await expectAccessible(page, { widths: [1280, 390] });
});

test("a person who is not an operator finds no transport of a line", async ({ browser }) => {
  const path = await transportPage();
  const page = await signInInvited(browser, "support");
  await page.goto(path.replace("/transport", ""));
  await expect(page.getByRole("link", { name: "Audits" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Transport", exact: true })).toHaveCount(0);
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/not found/i);
  await page.context().close();
});
