import { Conversation, type Dice } from "@/lib/testing/conversations/conversation";

const ROUNDS = 150;

/** Two programs that answer each other: the texts of a round, and the seconds until each side answers. */
function loop(round: (index: number) => { text: string; answer: string; delay: () => number }): Conversation {
  const chat = new Conversation();
  let at = 0;
  for (let index = 0; index < ROUNDS; index++) {
    const { text, answer, delay } = round(index);
    at += delay();
    chat.receive(at, text);
    at += delay();
    chat.send(at, answer);
  }
  return chat;
}

const AWAY = "I am out of the office and will answer on Monday.";
const SORRY = "Sorry, I did not understand. Write HUMAN to talk to a person.";

const TURNS = ["One of three.", "Two of three.", "Three of three."];

/** Kinds of loops that are found. */
export const PROGRAMS = {
  /** Two programs on fast networks, with other texts each time. */
  instant: (dice: Dice) =>
    loop(() => ({
      text: dice.text(dice.whole(25, 160)),
      answer: dice.text(80),
      delay: () => dice.between(0.02, 0.4),
    })),
  /** An out-of-office reply over a slow network. */
  autoresponder: (dice: Dice) =>
    loop(() => ({ text: AWAY, answer: SORRY, delay: () => dice.between(1, 30) })),
  /** A reply with a number or a time in it. */
  numbered: (dice: Dice) =>
    loop((index) => ({
      text: `Your request ${1000 + index} was received. We will answer soon.`,
      answer: SORRY,
      delay: () => dice.between(0.1, 1),
    })),
  /** The same over a slow network, with a time on the other side. */
  numberedSlowly: (dice: Dice) =>
    loop((index) => ({
      text: `Your request ${1000 + index} was received. We will answer soon.`,
      answer: `${SORRY} (${10 + (index % 12)}:${10 + (index % 49)})`,
      delay: () => dice.between(5, 60),
    })),
  /** The contact sends back what it got. */
  echo: (dice: Dice) => loop(() => ({ text: SORRY, answer: SORRY, delay: () => dice.between(0.5, 5) })),
  /** Three replies in turn. */
  inTurn: (dice: Dice) =>
    loop((index) => ({
      text: `${AWAY} ${TURNS[index % 3]}`,
      answer: `${SORRY} ${TURNS[index % 3]}`,
      delay: () => dice.between(3, 10),
    })),
  /** Two short replies. */
  short: (dice: Dice) =>
    loop(() => ({ text: "Thanks!", answer: "You're welcome!", delay: () => dice.between(0.3, 3) })),
} satisfies Record<string, (dice: Dice) => Conversation>;

/** Two programs that write long, other texts each time, slowly: they look like a person who pastes. */
export function slowWriters(dice: Dice): Conversation {
  return loop(() => ({ text: dice.text(300), answer: dice.text(300), delay: () => dice.between(4, 15) }));
}
