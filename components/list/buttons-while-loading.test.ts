import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { AccountButton } from "@/components/accounts/account-button";
import { InvitePersonButton } from "@/components/people/invite-person-button";

test("a button that the loaded page replaces can't be used before, so that no click is lost", () => {
  const invite = renderToStaticMarkup(createElement(InvitePersonButton, { isLoaded: false }));
  const account = renderToStaticMarkup(createElement(AccountButton, { account: null, isLoaded: false }));
  expect(invite).toContain(' disabled=""');
  expect(account).toContain(' disabled=""');
  expect(renderToStaticMarkup(createElement(AccountButton, { account: null }))).not.toContain(' disabled=""');
});
