import Link from "next/link";
import type { ExperienceAction } from "@/components/experiences/action-fields";
import { describeField } from "@/components/experiences/field-input";
import { fieldLabel } from "@/components/experiences/field-label";
import { cn } from "@/lib/cn";
import type { Experience } from "@/lib/payments/experiences/experience";

type ExperienceCatalogProps = {
  experiences: Experience[];
  /** The selected action, for example "link/open". */
  current: string;
};

/** Every experience with its actions. Each links to its preview. */
export function ExperienceCatalog({ experiences, current }: ExperienceCatalogProps) {
  return (
    <nav aria-label="Experience actions" className="flex min-w-0 flex-col gap-5">
      {experiences.map(({ experience, display_name, actions }) => (
        <section key={experience} className="flex min-w-0 flex-col gap-2">
          <h2 className="flex flex-wrap items-baseline gap-x-2 font-semibold text-sm">
            {display_name}
            <span className="font-mono font-normal text-muted-foreground text-xs">{experience}</span>
          </h2>
          {actions.map((action) => {
            const id = `${experience}/${action.name}`;
            return <Action key={id} id={id} action={action} isCurrent={id === current} />;
          })}
        </section>
      ))}
    </nav>
  );
}

type ActionProps = { id: string; action: ExperienceAction; isCurrent: boolean };

function Action({ id, action, isCurrent }: ActionProps) {
  return (
    <div
      className={cn(
        "flex min-w-0 flex-col gap-2 rounded-xl border bg-card px-4 py-3 shadow-xs",
        isCurrent && "border-brand",
      )}
    >
      <Link
        href={`/experiences?action=${encodeURIComponent(id)}#try-action`}
        aria-current={isCurrent ? "true" : undefined}
        className="flex w-fit flex-wrap items-baseline gap-x-2 py-0.5 font-medium text-sm underline-offset-4 hover:underline"
      >
        {fieldLabel(action.name)}
        <code className="font-normal text-muted-foreground text-xs">{action.name}</code>
      </Link>
      <p className="text-[0.8125rem] text-muted-foreground leading-relaxed">{action.summary}.</p>
      <dl className="flex flex-col gap-1 text-xs">
        {Object.entries(action.fields).map(([name, field]) => (
          <div key={name} className="flex flex-wrap gap-x-2">
            <dt>{fieldLabel(name)}</dt>
            <dd className="text-muted-foreground">{describeField(field)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
