import { PersonList } from "@/components/people/person-list";
import { SettingsFrame } from "@/components/settings/settings-frame";

export default function Loading() {
  return (
    <SettingsFrame current="people" isLoading>
      <PersonList />
    </SettingsFrame>
  );
}
