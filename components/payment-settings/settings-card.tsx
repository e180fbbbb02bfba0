import { type ReactNode, useId } from "react";

type SettingsCardProps = {
  title: string;
  status?: ReactNode;
  children: ReactNode;
  actions?: ReactNode;
};

/** A card for one provider: its status, an explanation and its actions. */
export function SettingsCard({ title, status, children, actions }: SettingsCardProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="flex h-full min-w-0 flex-col gap-3 rounded-xl border bg-card p-5 shadow-xs"
    >
      <div className="flex flex-wrap items-center gap-2.5">
        <h2 id={id} className="font-semibold text-sm">
          {title}
        </h2>
        {status}
      </div>
      <div className="flex flex-col gap-2 text-[0.8125rem] text-muted-foreground leading-relaxed">
        {children}
      </div>
      {actions && <div className="mt-auto flex flex-wrap gap-2 pt-1">{actions}</div>}
    </section>
  );
}
