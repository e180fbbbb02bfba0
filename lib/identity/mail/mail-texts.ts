import "server-only";
import type { MailContent } from "@/lib/identity/mail/queue-mail";
import { describeDevice } from "@/lib/identity/sessions/describe-device";
import { dashboardUrl } from "@/lib/platform/env";
import type { RequestClient } from "@/lib/platform/http/request-client";

const IGNORE = "If you did not expect this email, ignore it.";

/**
 * Asks a person to join a partner. The page of `linkUrl` decides whether the person sets a first password or signs in. null
 * for a person who is a member already and signs in as before.
 */
export function invitationMail(invitation: {
  partner: string;
  /** null = the operator. */
  invitedBy: string | null;
  linkUrl: string | null;
  /** The name of the single sign-on that the person must use; null when a password works. */
  signsInWith: string | null;
}): MailContent {
  const { partner, invitedBy, linkUrl, signsInWith } = invitation;
  const subject = `Your access to ${partner} on Trunkline`;
  if (linkUrl === null) {
    const invited = `${invitedBy ?? "The operator of this instance"} gave you access to ${partner} on Trunkline.`;
    const how = signsInWith === null ? "Sign in as before." : `Sign in with ${signsInWith}.`;
    const paragraphs = [`${invited} ${how}`, IGNORE];
    return { subject, paragraphs, action: { label: "Sign in", url: `${dashboardUrl()}/sign-in` } };
  }
  return {
    subject,
    paragraphs: [
      `${invitedBy ?? "The operator of this instance"} invites you to ${partner} on Trunkline. ${
        signsInWith === null
          ? "Set a password, or sign in if you have an account."
          : `Sign in with ${signsInWith}.`
      } The link works once, within 24 hours.`,
      IGNORE,
    ],
    action: { label: "Accept the invitation", url: linkUrl },
  };
}

/** The link after an admin or the operator removed the person's password. */
export function clearedPasswordMail(linkUrl: string): MailContent {
  return {
    subject: "Set a new Trunkline password",
    paragraphs: [
      "An admin reset your password and signed you out of all browsers. Set a new password to sign in. The link works once, within 24 hours.",
      "If you did not ask for this, contact your admin.",
    ],
    action: { label: "Set new password", url: linkUrl },
  };
}

/** The link that a person asked for on the sign-in page. */
export function passwordResetMail(linkUrl: string, minutes: number): MailContent {
  return {
    subject: "Reset your Trunkline password",
    paragraphs: [
      `Someone asked to reset the password of your Trunkline account. Set a new password with this link. The link works once, within ${minutes} minutes.`,
      "If you did not ask for this, ignore this email. Your password has not changed.",
    ],
    action: { label: "Set new password", url: linkUrl },
  };
}

/** Reports a password that was set with a link. */
export function passwordSetMail(set: {
  /** The number of passkeys that were removed. */
  passkeys: number;
  keepsPasskeys: boolean;
  at: Date;
}): MailContent {
  const { passkeys, keepsPasskeys, at } = set;
  const removed = passkeys === 1 ? "Your passkey was" : `Your ${passkeys} passkeys were`;
  return {
    subject: "Your Trunkline password was set",
    paragraphs: [
      "A new password was set with a one-time link, and you were signed out of all browsers.",
      ...(passkeys > 0 ? [`${removed} removed. Add passkeys again after you sign in.`] : []),
      ...(keepsPasskeys ? ["Your passkeys still work. Check that you know each of them."] : []),
      "If this was not you, reset the password again and tell your admin.",
    ],
    details: [["Time", mailTime(at)]],
    action: { label: "View your sign-in", url: `${dashboardUrl()}/settings/sessions` },
  };
}

/** Reports that a passkey exists twice. */
export function copiedPasskeyMail(name: string, at: Date): MailContent {
  return {
    subject: "One of your Trunkline passkeys may have been copied",
    paragraphs: [
      `The passkey "${name}" was refused, because another device has used it since: it may have been copied.`,
      "Sign in another way, remove this passkey and add a new one. If you can't sign in, contact your admin.",
    ],
    details: [["Time", mailTime(at)]],
    action: { label: "View your passkeys", url: `${dashboardUrl()}/settings/sessions` },
  };
}

/** Reports a sign-in from a browser in which the person has not signed in before. */
export function newDeviceMail({ address, userAgent }: RequestClient, at: Date): MailContent {
  return {
    subject: "New sign-in to your Trunkline account",
    paragraphs: [
      "Someone signed in to your Trunkline account from a new browser.",
      "If this was you, you don't need to do anything. Otherwise, sign out the browser in your sessions and change your password.",
    ],
    details: [
      ["Time", mailTime(at)],
      ["Browser", describeDevice(userAgent)],
      ["IP address", address ?? "unknown"],
    ],
    action: { label: "View sessions", url: `${dashboardUrl()}/settings/sessions` },
  };
}

/** Warns that an API token expires within `days`. */
export function tokenExpiringMail(token: {
  name: string;
  prefix: string;
  account: string;
  expiresAt: Date;
  days: number;
}): MailContent {
  const { name, prefix, account, expiresAt, days } = token;
  const within = days === 1 ? "a day" : `${days} days`;
  return {
    subject: `API token "${name}" of ${account} expires within ${within}`,
    paragraphs: [
      `An API token expires within ${within}. From then on, requests with this token fail with status 401.`,
      "Roll the token or extend its expiry before then.",
    ],
    details: [
      ["Token", `${name} (${prefix}…)`],
      ["Account", account],
      ["Expires", mailTime(expiresAt)],
    ],
    action: { label: "View API tokens", url: `${dashboardUrl()}/tokens` },
  };
}

/** Shows an operator that email works. */
export function testMail(at: Date): MailContent {
  return {
    subject: "Test email from Trunkline",
    paragraphs: ["This instance of Trunkline can send email."],
    details: [["Sent", mailTime(at)]],
  };
}

const DATE = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "UTC",
});

/** A time in emails, such as "23 Nov 2026, 07:12 UTC". */
function mailTime(at: Date): string {
  return `${DATE.format(at)} UTC`;
}
