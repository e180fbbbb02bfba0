import { SettingsFrame } from "@/components/settings/settings-frame";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <SettingsFrame current="preferences" isLoading>
      <Skeleton className="h-44 w-full max-w-xl rounded-xl" />
    </SettingsFrame>
  );
}
