import type { OptOut } from "@/lib/recipients/opt-outs/list-opt-outs";

type NamedActor = OptOut["by"];

const UNNAMED: Record<string, string> = { api: "a token", user: "a person", system: "the operator" };

/** Who did something, in words. */
export function actorName(actor: NamedActor): string {
  if (actor === null) return "nobody known";
  if (actor.name === null) return UNNAMED[actor.type] ?? actor.type;
  return actor.type === "api" ? `the token ${actor.name}` : actor.name;
}

/** How an opt-out began, in a few words. */
export function beganBy({ cause, keyword, by }: OptOut): string {
  if (cause === "keyword") return `They wrote “${keyword}”`;
  return `Opted out by ${actorName(by)}`;
}

/** How it ended; null while it holds. */
export function endedBy({ end_cause, ended_by }: OptOut): string | null {
  if (end_cause === null) return null;
  return end_cause === "person" ? `Opted in by ${actorName(ended_by)}` : "They wrote again";
}
