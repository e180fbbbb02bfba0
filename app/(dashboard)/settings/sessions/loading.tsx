import { SessionList } from "@/components/sessions/session-list";
import { SettingsFrame } from "@/components/settings/settings-frame";

export default function Loading() {
  return (
    <SettingsFrame current="sessions" isLoading>
      <SessionList />
    </SettingsFrame>
  );
}
