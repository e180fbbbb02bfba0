import { AuditLog } from "@/components/settings/audit-log";
import { SettingsFrame } from "@/components/settings/settings-frame";

export default function Loading() {
  return (
    <SettingsFrame current="audit-log" isLoading>
      <AuditLog />
    </SettingsFrame>
  );
}
