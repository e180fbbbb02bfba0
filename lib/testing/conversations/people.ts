import { Conversation, type Dice } from "@/lib/testing/conversations/conversation";

/** Generates one conversation of a program with a person, or with what a person set up. */
type Generator = (dice: Dice) => Conversation;

/** Seconds to type and send a text, for someone who types as fast as people do: 5 to 14 characters per second. */
function typing(dice: Dice, text: string): number {
  return dice.between(0.2, 0.5) + text.length / dice.between(5, 14);
}

/** A person who reads each answer before writing the next message. */
function quickChat(dice: Dice): Conversation {
  const chat = new Conversation();
  let at = 0;
  for (let round = dice.whole(20, 120); round > 0; round--) {
    const text = dice.text(dice.whole(2, 60));
    at += dice.around(0.8, 0.6) + typing(dice, text);
    chat.receive(at, text);
    at += dice.around(0.4, 0.8);
    chat.send(at, dice.text(dice.whole(5, 200)));
  }
  return chat;
}

/** A person who types message after message, while the program answers each at once. */
function burst(dice: Dice): Conversation {
  const chat = new Conversation();
  let at = 0;
  const isConstant = dice.chance(0.5);
  for (let bursts = dice.whole(3, 12); bursts > 0; bursts--) {
    at += dice.around(5, 0.8);
    for (let count = dice.whole(2, 25); count > 0; count--) {
      const text = dice.text(dice.whole(1, 30));
      at += typing(dice, text);
      chat.receive(at, text);
      chat.send(at + dice.between(0.02, 0.15), isConstant ? "Thanks, we read this soon." : dice.text(30));
    }
  }
  return chat;
}

type Words = readonly [string, ...string[]];

const GAMES: readonly [Words, ...Words[]] = [
  ["rock", "paper", "scissors"],
  ["yes", "no"],
  ["higher", "lower"],
  ["hit", "stand"],
];

/** A game of single words: both sides know only a few. */
function oneWordGame(dice: Dice): Conversation {
  const chat = new Conversation();
  const words = dice.pick(GAMES);
  let at = 0;
  for (let round = dice.whole(20, 200); round > 0; round--) {
    const text = dice.pick(words);
    at += dice.around(0.6, 0.4) + typing(dice, text) * dice.between(0.5, 1);
    chat.receive(at, text);
    at += dice.between(0.05, 0.6);
    chat.send(at, dice.pick(words));
  }
  return chat;
}

/** A person who counts with the program, or does sums. */
function counting(dice: Dice): Conversation {
  const chat = new Conversation();
  const last = dice.whole(40, 240);
  let at = 0;
  for (let number = 1; number < last; number += 2) {
    at += dice.around(0.5, 0.3) + typing(dice, String(number));
    chat.receive(at, String(number));
    at += dice.between(0.05, 0.4);
    chat.send(at, String(number + 1));
  }
  return chat;
}

/** A person who hits keys to see what happens. */
function mashing(dice: Dice): Conversation {
  const chat = new Conversation();
  const text = dice.text(1).trim() || "a";
  const answer = dice.chance(0.5) ? "Sorry, I did not get that." : null;
  let at = 0;
  for (let count = dice.whole(10, 50); count > 0; count--) {
    at += dice.between(0.25, 0.6);
    chat.receive(at, dice.chance(0.8) ? text : dice.text(2));
    chat.send(at + dice.between(0.02, 0.2), answer ?? dice.text(20));
  }
  return chat;
}

/** A person who taps the suggested replies below each answer as fast as they appear. */
function suggestedReplies(dice: Dice): Conversation {
  const chat = new Conversation();
  const texts = ["Next question", "Yes, please", "No", "Show me more results", "Back to the menu"] as const;
  const favorite = dice.pick(texts);
  let at = 0;
  for (let count = dice.whole(20, 120); count > 0; count--) {
    at += Math.max(0.35, dice.around(0.8, 0.4));
    chat.receive(at, dice.chance(0.8) ? favorite : dice.pick(texts));
    // The suggestions come with the answer.
    at += dice.between(0.3, 1.5);
    chat.send(at, dice.text(dice.whole(20, 120)));
  }
  return chat;
}

/** A person who asks the same again and gets the same answer. */
function impatient(dice: Dice): Conversation {
  const chat = new Conversation();
  const text = dice.pick(["Where is my order?", "hello", "Is anyone there?", "I want to talk to a human"]);
  let at = 0;
  for (let count = dice.whole(3, 15); count > 0; count--) {
    at += dice.around(6, 1);
    chat.receive(at, text);
    at += dice.between(0.1, 1);
    chat.send(at, "Your order is on its way.");
  }
  return chat;
}

/** A person who pastes prepared texts of a document, and gets each back translated. */
function pasting(dice: Dice): Conversation {
  const chat = new Conversation();
  let at = 0;
  for (let count = dice.whole(20, 80); count > 0; count--) {
    at += Math.max(2, dice.around(6, 0.35));
    chat.receive(at, dice.text(dice.whole(40, 400)));
    chat.send(at + dice.between(0.3, 2), dice.text(200));
  }
  return chat;
}

/** Campaigns to a phone that answers each at once: "I'm driving". The program thanks once. */
function campaigns(dice: Dice): Conversation {
  const chat = new Conversation();
  const [offer, confirmation] = [
    dice.text(80),
    dice.pick(["C", "YES", "I'm driving and will answer later."]),
  ];
  const isSame = dice.chance(0.5);
  let at = 0;
  for (let count = dice.whole(20, 120); count > 0; count--) {
    at += dice.between(1, 7 * 24) * 3600;
    chat.send(at, isSame ? offer : dice.text(80));
    chat.receive(at + dice.between(0.5, 4), confirmation);
    chat.send(at + dice.between(4.1, 6), "Thanks, you are confirmed.");
  }
  return chat;
}

/** Texts that waited on a phone without a network arrive all at once, while the program answers each. */
function backlog(dice: Dice): Conversation {
  const chat = new Conversation();
  const pace = dice.between(0.02, 0.6);
  // Typed without a pause, over hours, or forwarded together.
  const wait = dice.pick<number | null>([0, dice.between(1, 1000), null]);
  const count = dice.whole(10, 60);
  let written = -7200;
  for (let index = 0; index < count; index++) {
    const at = index * pace + dice.between(0, 0.02);
    const text = dice.text(dice.whole(5, 100));
    if (wait !== null) written += typing(dice, text) + dice.between(0, wait);
    chat.receive(at, text, written);
    chat.send(at + dice.between(0.03, 0.4), dice.text(40));
  }
  return chat;
}

/** A person who dictates, and a program that confirms each sentence. */
function dictation(dice: Dice): Conversation {
  const chat = new Conversation();
  let at = 0;
  for (let count = dice.whole(20, 60); count > 0; count--) {
    const text = dice.text(dice.whole(20, 150));
    at += dice.between(0.4, 1) + text.length / dice.between(11, 16);
    chat.receive(at, text);
    chat.send(at + dice.between(0.1, 1), "Noted.");
  }
  return chat;
}

/** A member of a group, whose program answers every member. */
function groupMember(dice: Dice): Conversation {
  const chat = new Conversation();
  const last = dice.between(60, 300);
  for (let at = 0; at < last; ) {
    const text = dice.text(dice.whole(1, 40));
    at += dice.around(1, 0.8) + typing(dice, text);
    chat.receive(at, text);
  }
  for (let at = 0; at < last; at += dice.between(0.2, 2)) chat.send(at, dice.text(40));
  return chat;
}

/** Texts that waited at a carrier arrive at once, over a network that does not say when they were written. */
function backlogOfTexts(dice: Dice): Conversation {
  const chat = new Conversation();
  const pace = dice.between(0.02, 0.6);
  for (let index = dice.whole(20, 60); index > 0; index--) {
    const at = (60 - index) * pace + dice.between(0, 0.02);
    chat.receive(at, dice.text(dice.whole(5, 160)), null);
    chat.send(at + dice.between(0.01, pace / 2), dice.text(40));
  }
  return chat;
}

/** A person who forwards texts together over such a network; some of the messages are of two texts. */
function forwardedTexts(dice: Dice): Conversation {
  const chat = new Conversation();
  const isConstant = dice.chance(0.5);
  let at = 0;
  for (let count = dice.whole(20, 80); count > 0; count--) {
    at += dice.between(0.03, 1);
    chat.receive(at, dice.text(dice.whole(30, 160)), null);
    if (dice.chance(0.2)) chat.receive(at + 0.01, dice.text(80), null);
    chat.send(at + 0.02, isConstant ? "Thanks, we have received your text." : dice.text(60));
  }
  return chat;
}

/** A person who sends photo after photo with the same text, each confirmed with the same text. */
function captionedFiles(dice: Dice): Conversation {
  const chat = new Conversation();
  const caption = dice.pick(["Receipt for the expenses", "here", "Photo of the damaged parts"]);
  const isApart = dice.chance(0.3);
  let at = 0;
  for (let count = dice.whole(20, 80); count > 0; count--) {
    at += dice.around(5, 0.8);
    if (isApart) {
      chat.receiveFile(at, "");
      chat.receive(at + 0.1, caption);
    } else chat.receiveFile(at, caption);
    chat.send(at + dice.between(0.2, 2), "Receipt received, thank you.");
  }
  return chat;
}

/** A person who pages through a catalogue: the same word, and each time another picture with the same text. */
function catalogue(dice: Dice): Conversation {
  const chat = new Conversation();
  const word = dice.pick(["Show me the next one", "next", "More please"]);
  const isApart = dice.chance(0.3);
  let at = 0;
  for (let count = dice.whole(20, 120); count > 0; count--) {
    at += dice.around(3, 0.6);
    chat.receive(at, word);
    at += dice.between(0.2, 1);
    chat.sendFile(at, isApart ? "" : "Answer NEXT to see more.");
    if (isApart) chat.send(at + 0.05, "Answer NEXT to see more.");
  }
  return chat;
}

/** Kinds of conversations in which no loop is found. */
export const PEOPLE = {
  quickChat,
  burst,
  oneWordGame,
  counting,
  mashing,
  suggestedReplies,
  impatient,
  pasting,
  campaigns,
  backlog,
  dictation,
  groupMember,
  backlogOfTexts,
  forwardedTexts,
  captionedFiles,
  catalogue,
} satisfies Record<string, Generator>;
