import { expect, test } from "vitest";
import { listedPeople } from "@/components/teams/listed-people";

const ADA = { id: "a", name: "Ada", can_answer: true };
const BEN = { id: "b", name: "Ben", can_answer: false };
const CLEO = { id: "c", name: "Cleo", can_answer: false };
const ZOE = { id: "z", name: "Zoe" };

test("the form of a team lists every member, also one beyond the known people or who can't answer, so that saving keeps them", () => {
  expect(listedPeople([ADA, BEN, CLEO], [{ id: "b", name: "Ben" }, ZOE])).toEqual([
    { ...ADA, isMember: false },
    { ...BEN, isMember: true },
    { ...ZOE, isMember: true },
  ]);
});

test("a person who can't answer and is not in the team is not listed, unless the answer does not say who can", () => {
  expect(listedPeople([ADA, BEN], [])).toEqual([{ ...ADA, isMember: false }]);
  // As the previous release answers.
  expect(listedPeople([ZOE], [])).toEqual([{ ...ZOE, isMember: false }]);
});
