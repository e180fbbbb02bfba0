"use client";

import { groupReactions, type ReactionGroup } from "@/components/chats/bubble/reaction-groups";
import { useReact } from "@/components/chats/bubble/use-react";
import { storedImagePath } from "@/components/chats/parts/stored-file-path";
import { useThread } from "@/components/chats/timeline/thread";
import { Tooltip, TooltipContent, TooltipTrigger } from "@/components/ui/tooltip";
import { cn } from "@/lib/cn";
import type { Reaction } from "@/lib/messaging/reactions/reaction";

type PartReactionsProps = {
  messageId: string;
  partIndex: number;
  reactions: readonly Reaction[];
  alignEnd: boolean;
};

/**
 * The reactions to a part as chips, with names on hover and focus. Pressing a chip adds or removes the line's own
 * reaction.
 */
export function PartReactions({ messageId, partIndex, reactions, alignEnd }: PartReactionsProps) {
  const { mayAct, isUsable } = useThread();
  const react = useReact(messageId, partIndex, reactions);
  return (
    <ul aria-label="Reactions" className={cn("flex flex-wrap gap-1", alignEnd && "justify-end")}>
      {groupReactions(reactions).map((group) => {
        const { type, emoji } = group;
        const joinable = mayAct && isUsable && type !== "sticker";
        const join = () => void react({ type, emoji: type === "custom" ? emoji : null });
        return (
          <li key={group.key}>
            <Chip group={group} onPress={joinable ? join : undefined} />
          </li>
        );
      })}
    </ul>
  );
}

function Chip({ group, onPress }: { group: ReactionGroup; onPress: (() => void) | undefined }) {
  const who = group.people.join(", ");
  return (
    <Tooltip>
      <TooltipTrigger
        aria-label={`${group.name}: ${who}`}
        aria-pressed={onPress && group.isOurs}
        onClick={onPress}
        className={cn(
          "inline-flex h-7 min-w-7 items-center justify-center gap-1 rounded-full border bg-card px-1.5 text-card-foreground text-sm",
          onPress ? "hover:bg-accent" : "cursor-default",
          group.isOurs && "border-foreground/40",
        )}
      >
        <Sign group={group} />
        {group.people.length > 1 && <span className="text-xs tabular-nums">{group.people.length}</span>}
      </TooltipTrigger>
      <TooltipContent className="wrap-anywhere">
        {group.name}: {who}
      </TooltipContent>
    </Tooltip>
  );
}

function Sign({ group }: { group: ReactionGroup }) {
  const image = storedImagePath(group.sticker?.url);
  if (image === null) return <span aria-hidden="true">{group.emoji}</span>;
  // biome-ignore lint/performance/noImgElement: a file behind a signed URL
  return <img src={image} alt="" loading="lazy" className="size-5 object-contain" />;
}
