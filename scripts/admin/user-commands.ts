import { z } from "zod";
import { clearPasskeys } from "@/lib/identity/passkeys/remove-person-passkeys";
import { clearPassword } from "@/lib/identity/passwords/reset-password";
import { createUser } from "@/lib/identity/people/create-user";
import { removeMember } from "@/lib/identity/people/remove-person";
import { setOperator } from "@/lib/identity/people/set-operator";
import { setSignInRules } from "@/lib/identity/people/sign-in-rules";
import { endSessions } from "@/lib/identity/sessions/end-sessions";
import { unlinkIdentities } from "@/lib/identity/sso/user-identity";
import { systemPartnerChange } from "@/lib/identity/users/partner-change";
import { toPasswordLink } from "@/lib/identity/users/person";
import { recordUserAudit } from "@/lib/identity/users/record-user-audit";
import { EmailAddress } from "@/lib/identity/users/user";
import { prisma, transaction } from "@/lib/platform/database/db";
import { type Commands, Name } from "@/scripts/admin/command";

const UserOptions = z.object({
  partner: z.uuid(),
  email: EmailAddress,
  name: Name,
  role: z.enum(["admin", "developer", "support", "viewer"]).default("admin"),
});

const OnOff = z.enum(["on", "off"]).optional();

const RuleOptions = z
  .object({ partner: z.uuid(), "admins-need-passkey": OnOff, "requires-sso": OnOff })
  .refine(({ partner, ...rules }) => Object.values(rules).some((rule) => rule !== undefined), {
    message: "name a rule and its new value, for example --admins-need-passkey off",
  });

function changedRules(rules: Omit<z.infer<typeof RuleOptions>, "partner">) {
  const passkey = rules["admins-need-passkey"];
  const sso = rules["requires-sso"];
  return {
    ...(passkey !== undefined && { admins_need_passkey: passkey === "on" }),
    ...(sso !== undefined && { requires_sso: sso === "on" }),
  };
}

export const USER_COMMANDS: Commands = {
  "create-user": async (options) => {
    const { partner, email, name, role } = UserOptions.parse(options);
    const { link, emailed } = await createUser({ partnerId: partner, email, name, role });
    if (link === null) return `${email} already has a password and can now also sign in to this partner.`;
    return `${email} can set a password with this link (valid for 24 hours, works once):\n${toPasswordLink(link).url}${alsoEmailed(emailed)}`;
  },
  "remove-user": async (options) => {
    const { partner, email } = z.object({ partner: z.uuid(), email: EmailAddress }).parse(options);
    const user = await findUser(email);
    await transaction((tx) => removeMember(tx, systemPartnerChange(partner), user.id));
    return `${email} no longer has access to partner ${partner}.`;
  },
  "reset-password": async (options) => {
    const { email } = z.object({ email: EmailAddress }).parse(options);
    const user = await findUser(email);
    const { link, emailed } = await transaction(async (tx) => {
      await recordUserAudit(tx, user.id, "user.password_reset", { actorType: "system" });
      return clearPassword(tx, user.id, email, { isProof: true });
    });
    return `${email} can set a new password with this link (valid for 24 hours, works once):\n${link.url}${alsoEmailed(emailed)}`;
  },
  "remove-passkeys": async (options) => {
    const { email } = z.object({ email: EmailAddress }).parse(options);
    const user = await findUser(email);
    const count = await transaction(async (tx) => {
      const removed = await clearPasskeys(tx, user.id);
      const detail = { count: removed };
      await recordUserAudit(tx, user.id, "user.passkeys_removed", { actorType: "system", detail });
      return removed;
    });
    return `${count} ${count === 1 ? "passkey" : "passkeys"} of ${email} removed. The person signs in with the password and can add a passkey; without a password, run reset-password.`;
  },
  "unlink-sso": async (options) => {
    const { email } = z.object({ email: EmailAddress }).parse(options);
    const user = await findUser(email);
    const count = await transaction((tx) => unlinkIdentities(tx, user.id));
    return `${count} ${count === 1 ? "account" : "accounts"} at the identity provider unlinked from ${email}. The next single sign-on with this address links again.`;
  },
  "set-sign-in-rules": async (options) => {
    const { partner, ...rules } = RuleOptions.parse(options);
    await transaction((tx) => setSignInRules(tx, systemPartnerChange(partner), changedRules(rules)));
    return `The sign-in rules of partner ${partner} were changed.`;
  },
  "end-sessions": async (options) => {
    const { email } = z.object({ email: EmailAddress }).parse(options);
    const user = await findUser(email);
    const count = await transaction(async (tx) => {
      const ended = await endSessions(tx, user.id);
      const detail = { count: ended };
      await recordUserAudit(tx, user.id, "user.sessions_ended", { actorType: "system", detail });
      return ended;
    });
    return `${email} was signed out of ${count} ${count === 1 ? "browser" : "browsers"}.`;
  },
  "grant-operator": (options) => changeOperator(options, true),
  "revoke-operator": (options) => changeOperator(options, false),
};

function alsoEmailed(emailed: boolean): string {
  return emailed ? "\nTrunkline also sends the link by email." : "";
}

async function changeOperator(options: Record<string, unknown>, isOperator: boolean): Promise<string> {
  const { email } = z.object({ email: EmailAddress }).parse(options);
  if (!(await setOperator(email, isOperator))) throw new Error(`no user has the email address ${email}`);
  return isOperator ? `${email} is an operator` : `${email} is no longer an operator`;
}

async function findUser(email: string): Promise<{ id: string }> {
  const user = await prisma().user.findUnique({ where: { email }, select: { id: true } });
  if (user === null) throw new Error(`no user has the email address ${email}: see \`npm run admin -- list\``);
  return user;
}
