import { BarChart3 } from "lucide-react";
import type { TimelineMessage } from "@/lib/messages/timeline-message";

type Poll = NonNullable<TimelineMessage["poll"]>;

/** A poll as it stands: its options, how many chose each, and who. */
export function PollCard({ poll }: { poll: Poll }) {
  return (
    <section
      aria-label="Poll"
      className="wrap-anywhere w-80 max-w-full whitespace-normal rounded-lg border bg-card p-3 text-card-foreground"
    >
      <p className="flex items-center gap-2 pb-2 text-muted-foreground text-xs">
        <BarChart3 className="size-4 shrink-0" aria-hidden="true" />
        <span className="flex-1 font-medium">Poll</span>
        <span className="tabular-nums">{people(poll.total_voters)}</span>
      </p>
      <ul className="flex flex-col gap-2.5">
        {poll.options.map((option) => (
          <Option key={option.option_id} option={option} ofVoters={poll.total_voters} />
        ))}
      </ul>
    </section>
  );
}

function Option({ option, ofVoters }: { option: Poll["options"][number]; ofVoters: number }) {
  const votes = option.voters.length;
  const share = ofVoters === 0 ? 0 : Math.round((votes / ofVoters) * 100);
  return (
    <li>
      <p className="flex justify-between gap-3">
        <span className="min-w-0">{option.text}</span>
        <span className="shrink-0 text-muted-foreground text-xs tabular-nums">{voteCount(votes)}</span>
      </p>
      <div aria-hidden="true" className="mt-1 h-1.5 overflow-hidden rounded-full bg-muted">
        <div className="h-full rounded-full bg-brand" style={{ width: `${share}%` }} />
      </div>
      {votes > 0 && (
        <p className="pt-1 text-muted-foreground text-xs tabular-nums">
          {option.voters.map(({ handle }) => handle).join(", ")}
        </p>
      )}
    </li>
  );
}

function people(count: number): string {
  if (count === 0) return "Nobody has voted";
  return count === 1 ? "1 person voted" : `${count} people voted`;
}

function voteCount(count: number): string {
  return count === 1 ? "1 vote" : `${count} votes`;
}
