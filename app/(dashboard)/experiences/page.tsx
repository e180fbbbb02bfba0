import { PageHeader } from "@/components/data/page-header";
import { ExperienceCatalog } from "@/components/experiences/experience-catalog";
import { TryAction } from "@/components/experiences/try-action";
import { PageBody } from "@/components/shell/page-body";
import { listExperiences } from "@/lib/payments/experiences/list-experiences";
import { ownHosts } from "@/lib/platform/env";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Experiences" };

type ExperiencesPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function ExperiencesPage({ searchParams }: ExperiencesPageProps) {
  const { account, may } = await requireAccount("view_lines");
  const { action: asked } = await searchParams;
  const { experiences } = await listExperiences();
  const actions = experiences.flatMap(({ experience, actions: all }) =>
    all.map((action) => ({ id: `${experience}/${action.name}`, experience, action })),
  );
  const chosen = actions.find(({ id }) => id === asked) ?? actions[0];

  return (
    <PageBody>
      <PageHeader
        title="Experiences"
        description="Interactive cards for iMessage conversations. Choose an action to preview its card and send the card to a chat."
      />
      <div className="grid min-w-0 items-start gap-6 lg:grid-cols-[22rem_minmax(0,1fr)]">
        <ExperienceCatalog experiences={experiences} current={chosen?.id ?? ""} />
        {chosen && (
          <TryAction
            key={`${account.id} ${chosen.id}`}
            experience={chosen.experience}
            action={chosen.action}
            ownHosts={ownHosts()}
            maySend={may("send_messages")}
          />
        )}
      </div>
    </PageBody>
  );
}
