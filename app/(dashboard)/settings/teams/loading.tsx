import { SettingsFrame } from "@/components/settings/settings-frame";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <SettingsFrame current="teams" isLoading>
      <Skeleton className="h-72 w-full rounded-xl" />
    </SettingsFrame>
  );
}
