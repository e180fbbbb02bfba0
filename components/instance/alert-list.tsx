import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import { Timestamp } from "@/components/data/time/timestamp";
import { InstanceSection } from "@/components/instance/instance-section";
import { cn } from "@/lib/cn";
import type { InstanceState } from "@/lib/operations/instance/instance";

const LOOKS = {
  critical: { icon: CircleAlert, label: "Critical", className: "text-destructive-text" },
  warning: { icon: TriangleAlert, label: "Warning", className: "text-warning" },
};

/** The open alerts, oldest first. */
export function AlertList({ alerts }: Pick<InstanceState, "alerts">) {
  return (
    <InstanceSection title="Alerts">
      <div className="rounded-xl border bg-card shadow-xs">
        {alerts.length === 0 ? (
          <p role="status" className="flex items-center gap-3 px-4 py-3.5 text-muted-foreground">
            <CircleCheck aria-hidden="true" className="size-4 shrink-0 text-success" />
            No open alerts. Lines, endpoints, queues, backups and disks are checked every 15 seconds.
          </p>
        ) : (
          <ul className="divide-y">
            {alerts.map((alert) => (
              <AlertItem key={alert.id} alert={alert} />
            ))}
          </ul>
        )}
      </div>
    </InstanceSection>
  );
}

function AlertItem({ alert }: { alert: InstanceState["alerts"][number] }) {
  const { title, description, account, environment, opened_at, calm_since } = alert;
  const { icon: Icon, label, className } = LOOKS[alert.severity];
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <Icon aria-hidden="true" className={cn("mt-1 size-4 shrink-0", className)} />
      <div className="wrap-anywhere min-w-0 flex-1">
        <p>
          <span className="sr-only">{label}: </span>
          <span className="font-medium">{title}</span>
          {account !== null && (
            <span className="text-muted-foreground">
              {" "}
              · {account} ({environment})
            </span>
          )}
        </p>
        <p className="text-muted-foreground leading-relaxed">{description}</p>
        <p className="text-muted-foreground text-xs leading-6">
          Since <Timestamp value={opened_at} />
          {calm_since !== null && (
            <>
              , over since <Timestamp value={calm_since} />
            </>
          )}
        </p>
      </div>
    </li>
  );
}
