import type { Page } from "@playwright/test";

/** Adds a virtual authenticator with passkeys, which the user either always or never unlocks. */
export async function addAuthenticator(page: Page, { isUnlocked = true } = {}): Promise<void> {
  const session = await page.context().newCDPSession(page);
  // A test before this one may have left its authenticator on the page, which tests share.
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.disable");
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: isUnlocked,
      automaticPresenceSimulation: true,
    },
  });
}

/**
 * Lets a page loaded from now on offer no passkeys in the list of the email field, because the virtual authenticator
 * accepts each offer at once.
 */
export async function withoutOffers(page: Page): Promise<void> {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
}
