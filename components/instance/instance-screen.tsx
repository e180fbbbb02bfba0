"use client";

import { useQuery } from "@tanstack/react-query";
import { DetailsPage } from "@/components/details/details-page";
import { AlertList } from "@/components/instance/alert-list";
import { InstanceSection } from "@/components/instance/instance-section";
import { NotificationState } from "@/components/instance/notification-state";
import { ProcessTable } from "@/components/instance/process-table";
import { QueueTable } from "@/components/instance/queue-table";
import { StorageState } from "@/components/instance/storage-state";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { InstanceState } from "@/lib/operations/instance/instance";

const PATH = "/api/instance";
const REFRESH_MS = 5000;

/** The whole instance, for its operators: updated every five seconds while the page is visible. */
export function InstanceScreen({ initial, mayOperate }: { initial: InstanceState; mayOperate: boolean }) {
  const { data, error, refetch } = useQuery<InstanceState, ApiFailure>({
    queryKey: [PATH],
    queryFn: ({ signal }) => apiFetch(PATH, { signal }),
    initialData: () => initial,
    refetchInterval: REFRESH_MS,
  });
  const { alerts, processes, queues, database, backup, mail, webhook } = data ?? initial;
  return (
    <DetailsPage
      title="Instance"
      description="Processes, queues, storage and notifications of this instance. Only its operators see this page."
      failure={error}
      onRetry={() => void refetch()}
    >
      <AlertList alerts={alerts} />
      <InstanceSection title="Processes">
        <ProcessTable processes={processes} />
      </InstanceSection>
      <InstanceSection title="Queues">
        <QueueTable queues={queues} />
      </InstanceSection>
      <div className="grid min-w-0 gap-6 lg:grid-cols-2">
        <StorageState database={database} backup={backup} />
        <NotificationState mail={mail} webhook={webhook} mayOperate={mayOperate} />
      </div>
    </DetailsPage>
  );
}
