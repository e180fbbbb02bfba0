/** Signs in as the demo's admin, whose messages leave at once. Returns the storage state of the session. */
export async function signIn(browser, baseURL, { admin }) {
  const page = await browser.newPage({ baseURL });
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(admin.email);
  await page.getByLabel("Password", { exact: true }).fill(admin.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
  await page.evaluate(() => localStorage.setItem("trunkline:undo-send", "off"));
  const session = await page.context().storageState();
  await page.context().close();
  return session;
}
