"use client";

import { useQueryClient } from "@tanstack/react-query";
import { AlarmClock, CheckCheck, MailCheck, UserRound, X } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { AssignDialog } from "@/components/chats/state/assign-dialog";
import { extended, neighbor, toggled } from "@/components/chats/state/chat-selection";
import { SnoozeDialog } from "@/components/chats/state/snooze-dialog";
import { type SeenChat, useChatsChange } from "@/components/chats/state/use-chats-change";
import type { LoadedTimeline } from "@/components/chats/timeline/apply-message";
import { COMPOSER_FIELD_ID } from "@/components/composer/field-id";
import { moveFocus, useShortcuts } from "@/components/list/use-shortcuts";
import { Button } from "@/components/ui/button";
import type { ChatsChange } from "@/lib/messaging/team/change-chats";

const LIST = "[data-chat-list]";
const ROW = "[data-row][data-chat]";
/** The API's limit of one request. Further chats stay selected. */
const MAX_CHANGED = 100;

type InboxActionsProps = {
  /** The listed chats, in order. */
  chats: SeenChat[];
  openChatId: string | null;
  /** The query string that chat links carry. */
  address: string;
  /** The id of the user. */
  me: string;
  maySend: boolean;
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
};

/**
 * The keys of the chat list, and a bar with what can be done with the selected chats. Without a selection, keys act on the
 * open chat, else on the focused row.
 */
export function InboxActions(props: InboxActionsProps) {
  const { chats, openChatId, me, maySend, selected, onSelect } = props;
  const [asked, setAsked] = useState<{ about: "assign" | "snooze"; chats: SeenChat[] } | null>(null);
  const queryClient = useQueryClient();
  const { moveOpen, goingTo } = useOpenNeighbor(props);
  // Selected chats that have left the list are not acted on: the person does not see them.
  const shown = chats.filter(({ id }) => selected.has(id)).map(({ id }) => id);
  const change = useChatsChange(({ changed }) => {
    // Chats that failed stay selected, so that the change can be tried again.
    onSelect(new Set([...selected].filter((id) => !changed.includes(id))));
  });

  function cursor(): string | null {
    return goingTo() ?? openChatId ?? focusedChat();
  }

  function seen(id: string): SeenChat {
    const shown = queryClient.getQueryData<LoadedTimeline>(["timeline", id])?.pages[0]?.messages[0]?.id;
    const listed = chats.find((chat) => chat.id === id)?.last_message_id ?? null;
    return { id, last_message_id: id === openChatId ? (shown ?? listed) : listed };
  }

  function targets(): SeenChat[] {
    if (shown.length > 0) return shown.slice(0, MAX_CHANGED).map(seen);
    const id = cursor();
    return id === null ? [] : [seen(id)];
  }

  function run(made: ChatsChange, of: SeenChat[]): void {
    if (of.length === 0 || change.isPending) return;
    setAsked(null);
    change.mutate({ chats: of, change: made });
    const putsAway = made.type === "close" || made.type === "snooze";
    if (!putsAway || shown.length > 0) return;
    // The next chat comes, as the one that was put away leaves the list.
    if (openChatId === null) moveFocus(document.querySelector(LIST), 1);
    else moveOpen(1);
  }

  function ask(about: "assign" | "snooze"): void {
    const of = targets();
    if (of.length > 0) setAsked({ about, chats: of });
  }

  function move(by: 1 | -1, isRange: boolean): void {
    const from = cursor();
    const to = openChatId === null ? moveFocus(document.querySelector(LIST), by)?.dataset.chat : moveOpen(by);
    if (!isRange || !maySend || to === undefined) return;
    const ids = chats.map(({ id }) => id);
    onSelect(extended(selected, ids, from, to));
  }

  function select(): void {
    const id = cursor();
    if (chats.some((chat) => chat.id === id) && id !== null) onSelect(toggled(selected, id));
  }

  useShortcuts({
    j: (event) => move(1, event.shiftKey),
    k: (event) => move(-1, event.shiftKey),
    x: maySend ? (event) => event.repeat || select() : undefined,
    e: maySend ? (event) => isPlain(event) && run({ type: "close" }, targets()) : undefined,
    a: maySend ? (event) => isPlain(event) && ask("assign") : undefined,
    s: maySend ? (event) => isPlain(event) && ask("snooze") : undefined,
    r: maySend ? focusComposer : undefined,
    escape: selected.size > 0 ? () => onSelect(new Set()) : undefined,
  });

  // After the effect above, which listens to the keys.
  const [areKeysOn, setKeysOn] = useState(false);
  useEffect(() => setKeysOn(true), []);

  const count = asked?.chats.length ?? 0;
  return (
    <>
      {areKeysOn && <p className="sr-only">Press ? for the keyboard shortcuts.</p>}
      {maySend && shown.length > 0 && (
        <div
          role="toolbar"
          aria-label="Selected chats"
          className="flex flex-wrap items-center gap-1 border-t bg-card px-3 py-1.5"
        >
          <p role="status" className="mr-auto text-sm tabular-nums">
            {shown.length} selected
          </p>
          <Action icon={UserRound} label="Assign" onClick={() => ask("assign")} />
          <Action icon={AlarmClock} label="Snooze" onClick={() => ask("snooze")} />
          <Action icon={CheckCheck} label="Close" onClick={() => run({ type: "close" }, targets())} />
          <Action
            icon={MailCheck}
            label="Mark as read"
            onClick={() => run({ type: "mark_read" }, targets())}
          />
          <Action icon={X} label="Clear selection" onClick={() => onSelect(new Set())} />
        </div>
      )}
      {asked?.about === "snooze" && (
        <SnoozeDialog
          count={count}
          onChoose={(until) => run({ type: "snooze", until: until.toISOString() }, asked.chats)}
          onClose={() => setAsked(null)}
        />
      )}
      {asked?.about === "assign" && (
        <AssignDialog
          count={count}
          me={me}
          onChoose={(assignment) => run({ type: "assign", ...assignment }, asked.chats)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

/** Whether a key was pressed by itself, once: a key that is held down changes one chat, not one after the other. */
function isPlain(event: KeyboardEvent): boolean {
  return !event.repeat && !event.shiftKey;
}

type ActionProps = { icon: typeof X; label: string; onClick: () => void };

function Action({ icon: Icon, label, onClick }: ActionProps) {
  return (
    <Button variant="ghost" size="icon-sm" title={label} aria-label={label} onClick={onClick}>
      <Icon />
    </Button>
  );
}

/** The chat of the row that has the focus; null = the focus is elsewhere. */
function focusedChat(): string | null {
  return document.activeElement?.closest<HTMLElement>(ROW)?.dataset.chat ?? null;
}

function focusComposer(): void {
  document.getElementById(COMPOSER_FIELD_ID)?.focus();
}

/**
 * `moveOpen` opens the next or previous chat of the list and returns its id. `goingTo` is the chat whose page is on its way,
 * which keys already mean. Keeps the row of the open chat in view; the focus follows when it is in the list.
 */
function useOpenNeighbor({ chats, openChatId, address }: InboxActionsProps) {
  const router = useRouter();
  const ids = chats.map(({ id }) => id);
  const [lastIds, setLastIds] = useState(ids);
  const going = useRef<string | null>(null);
  // Kept while the open chat is not in the list.
  const isListed = openChatId === null || ids.includes(openChatId);
  if (isListed && ids.join() !== lastIds.join()) setLastIds(ids);

  useEffect(() => {
    going.current = null;
    if (openChatId === null) return;
    const row = document.querySelector<HTMLElement>(`${ROW}[data-chat="${openChatId}"]`);
    row?.scrollIntoView({ block: "nearest" });
    if (focusedChat() !== null) row?.focus({ preventScroll: true });
  }, [openChatId]);

  function moveOpen(by: 1 | -1): string | undefined {
    const from = going.current ?? openChatId;
    const next = from === null ? null : neighbor(ids, lastIds, from, by);
    if (next === null) return undefined;
    going.current = next;
    router.push(`/chats/${next}${address}`);
    return next;
  }

  return { moveOpen, goingTo: () => going.current };
}
