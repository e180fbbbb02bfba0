import { SettingsFrame } from "@/components/settings/settings-frame";
import { UndoSend } from "@/components/settings/undo-send";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Preferences" };

export default async function PreferencesPage() {
  await requireAccount("signed_in");
  return (
    <SettingsFrame current="preferences">
      <UndoSend />
    </SettingsFrame>
  );
}
