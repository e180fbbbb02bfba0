import type { Choice } from "@/components/teams/with-chosen";

/** `can_answer` is absent in answers of the previous release. */
export type Person = Choice & { can_answer?: boolean };

/**
 * The people in the form of a team: those of `people` who can answer chats, and every member. A member can be missing in
 * `people`, which has 200 people at most.
 */
export function listedPeople(
  people: readonly Person[],
  members: readonly Choice[],
): (Person & { isMember: boolean })[] {
  const memberIds = new Set(members.map(({ id }) => id));
  const knownIds = new Set(people.map(({ id }) => id));
  return [...people, ...members.filter(({ id }) => !knownIds.has(id))]
    .map((person: Person) => ({ ...person, isMember: memberIds.has(person.id) }))
    .filter(({ isMember, can_answer }) => isMember || can_answer !== false);
}
