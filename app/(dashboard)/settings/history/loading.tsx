import { ChangeHistory } from "@/components/settings/change-history";
import { SettingsFrame } from "@/components/settings/settings-frame";

export default function Loading() {
  return (
    <SettingsFrame current="history" isLoading>
      <ChangeHistory />
    </SettingsFrame>
  );
}
