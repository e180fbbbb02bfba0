import { SettingsFrame } from "@/components/settings/settings-frame";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <SettingsFrame current="go-to-production" isLoading>
      <Skeleton className="h-5 w-48" />
      <Skeleton className="h-160 w-full rounded-lg" />
    </SettingsFrame>
  );
}
