import { GroupRoles } from "@/components/security/group-roles";
import { SignInRules } from "@/components/security/sign-in-rules";
import { SettingsFrame } from "@/components/settings/settings-frame";
import { getSignInRules } from "@/lib/identity/people/sign-in-rules";
import { listGroupRoles } from "@/lib/identity/sso/group-roles";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Security" };

export default async function SecurityPage() {
  const { account, ctx } = await requireAccount("manage_people");
  const rules = await getSignInRules(ctx);
  return (
    <SettingsFrame current="security">
      <SignInRules key={`rules ${account.partner.id}`} initial={rules} />
      {rules.sso_name !== null && (
        <GroupRoles
          key={`groups ${account.partner.id}`}
          initial={await listGroupRoles(ctx)}
          ssoName={rules.sso_name}
        />
      )}
    </SettingsFrame>
  );
}
