import { Skeleton } from "@/components/ui/skeleton";

const BUBBLES = ["w-48", "w-64 self-end", "w-40 self-end", "w-72", "w-32", "w-56 self-end"];

export default function Loading() {
  return (
    <div role="status" aria-label="Loading chat" className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-col gap-2 border-b px-6 py-3">
        <Skeleton className="h-4.5 w-36" />
        <Skeleton className="h-3.5 w-48" />
      </div>
      <div className="mx-auto flex w-full max-w-3xl flex-1 flex-col justify-end gap-4 px-6 py-4">
        {BUBBLES.map((shape) => (
          <Skeleton key={shape} className={`h-9 rounded-2xl ${shape}`} />
        ))}
      </div>
    </div>
  );
}
