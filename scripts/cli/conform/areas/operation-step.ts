import type { Expected } from "@/scripts/cli/conform/examine-response";
import type { Run, World } from "@/scripts/cli/conform/run";

/** One call of the area `operations`. Later steps use what earlier ones created. */
export interface Step {
  /** `POST /v3/chats` */
  op: string;
  /** Distinguishes several steps of one operation. */
  as?: string;
  body?: (world: World) => unknown;
  query?: (world: World) => string;
  path?: (world: World) => Readonly<Record<string, string>>;
  /** Names of the world without which the step is skipped. */
  needs?: readonly string[];
  /**
   * Runs only in an account of the run's own: the step changes what existed before, costs something, or reaches a person
   * by anything other than a message. Also a step that the server should refuse, which a faulty one may not.
   */
  isOwnOnly?: true;
  /** The success that the document names, unless a step says otherwise. */
  expect?: Partial<Expected>;
  before?: (run: Run) => Promise<void>;
  /** The IDs that a successful response returned: their names in the world, and their paths in the response. */
  keep?: Readonly<Record<string, string>>;
  /** Set in the world after a success. */
  offers?: string;
}

/** The reason why a step can't run with what the run knows; null if it can. */
export function reasonToSkip({ op, needs = [], path, isOwnOnly }: Step, world: World): string | null {
  if (isOwnOnly === true && !world.isOwn) {
    return "would change or cost something in an account that others use: use --phones";
  }
  const parameters = path === undefined ? [...op.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "") : [];
  return reasonWithout([...parameters, ...needs], world);
}

/** Names that the run does not know without a chat: the person that it needs for one, and things that it sends there. */
const OF_A_CHAT = ["recipient", "chatId", "messageId", "scheduledId", "pollId", "cardId", "soundId"];

/** The reason why the run does not know one of these names; null if it knows them all. */
export function reasonWithout(names: readonly string[], world: World): string | null {
  const missing = names.find((name) => world[name] === undefined);
  if (missing === undefined) return null;
  if (world.chatId !== undefined || !OF_A_CHAT.includes(missing))
    return `no earlier step returned ${missing}`;
  return String(world.whyNoChat ?? "needs someone to write to: --phones or --to");
}
