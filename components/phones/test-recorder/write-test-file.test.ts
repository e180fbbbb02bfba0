import { describe, expect, test } from "vitest";
import type { RecordedPhone, RecordedStep } from "@/components/phones/test-recorder/recorded-step";
import { writeTestFile } from "@/components/phones/test-recorder/write-test-file";

const LINE = "+15550100001";
const ADA: RecordedPhone = { handle: "+15550100101", name: "Ada's iPhone", platform: "iphone" };
const GRACE: RecordedPhone = { handle: "+15550100102", name: "Grace", platform: "android_rcs" };
const direct = { phone: ADA.handle, line: LINE, chatId: "chat", others: [] };
const group = { ...direct, chatId: "group", others: [GRACE.handle] };
const says = { type: "says", effect: null, isNewGroup: false } as const;

const written = (steps: RecordedStep[]) => writeTestFile(steps, [ADA, GRACE]);

describe("a recorded test", () => {
  test("sends what the phone said and waits for what it received", () => {
    const file = written([
      { ...direct, ...says, text: 'say "hi"', messageId: "m1" },
      { ...direct, type: "receives", text: "hello", messageId: "m2" },
      { ...direct, type: "reacts", messageId: "m2", reaction: "love", emoji: null, isRemoved: false },
      { ...direct, type: "edits", messageId: "m1", text: "hi" },
    ]);
    expect(file).toContain("const adasIphone = await sim.phone().exists();");
    expect(file).toContain('const message1 = await adasIphone.says("say \\"hi\\"");');
    expect(file).toContain(
      'path: { chatId: message1.chat_id ?? "" }, body: { message: { parts: [{ type: "text", value: "hello" }] } }',
    );
    expect(file).toContain('const message2 = await adasIphone.receives("hello");');
    expect(file).toContain('await adasIphone.reacts(message2.message_id, "love");');
    expect(file).toContain('await adasIphone.edits(message1.message_id ?? "", "hi");');
    expect(file).not.toContain("opening");
  });

  test("that begins with a message from the line first writes to the line", () => {
    const file = written([{ ...direct, type: "receives", text: "hello", messageId: "m1" }]);
    expect(file.indexOf('const opening1 = await adasIphone.says("Hello");')).toBeGreaterThan(0);
    expect(file).toContain('path: { chatId: opening1.chat_id ?? "" }');
  });

  test("of a group creates the group once and sends a message of the line once", () => {
    const received = { type: "receives", text: "all?", messageId: "m2" } as const;
    const file = written([
      { ...group, ...says, text: "hi all", messageId: "m1", isNewGroup: true },
      { ...group, ...received },
      { ...group, ...received, phone: GRACE.handle, others: [ADA.handle] },
      { ...group, type: "renames", name: "Friday" },
    ]);
    expect(file).toContain('const grace = await sim.phone(undefined, { platform: "android_rcs" }).exists();');
    expect(file).toContain('adasIphone.says({ text: "hi all", also_to: [grace.handle] })');
    expect(file.match(/sim\.api\.call/g)).toHaveLength(1);
    expect(file.match(/receives\("all\?"\)/g)).toHaveLength(2);
    expect(file).toContain('await adasIphone.renamesGroup("Friday", message1.chat_id ?? "");');
  });

  test("sends a sample in place of an image, and polls with their options", () => {
    const file = written([
      {
        ...direct,
        type: "sendsImage",
        filename: "Sunset.jpg",
        isSticker: false,
        messageId: "m1",
        isNewGroup: false,
      },
      { ...direct, type: "sendsPoll", options: ["Ramen", "Tacos"], messageId: "m2", isNewGroup: false },
      { ...direct, type: "votes", messageId: "m2", option: 1, isRemoved: false },
      { ...direct, type: "addsOption", messageId: "m2", text: "Pizza" },
    ]);
    expect(file.match(/^const IMAGE =/gm)).toHaveLength(1);
    expect(file).toContain('says({ parts: [{ type: "media", filename: "Sunset.png", data: IMAGE }] })');
    expect(file).toContain(
      'says({ parts: [{ type: "poll", options: [{ text: "Ramen" }, { text: "Tacos" }] }] })',
    );
    expect(file).toContain('await sim.webhook("poll.received");');
    expect(file).toContain(
      'votes(message2.message_id ?? "", poll3.poll.options[1]?.option_id ?? "");\n  await sim.webhook("poll.vote.added");',
    );
    expect(file).toContain('options: [{ text: "Pizza" }]');
  });

  test("creates a poll of the line once, for all phones of a group", () => {
    const received = { type: "receivesPoll", options: ["Yes", "No"], messageId: "p" } as const;
    const file = written([
      { ...group, ...received },
      { ...group, ...received, phone: GRACE.handle, others: [ADA.handle] },
      { ...group, type: "votes", phone: GRACE.handle, messageId: "p", option: 0, isRemoved: true },
    ]);
    expect(file.match(/POST \/v3\/chats\/\{chatId\}\/polls/g)).toHaveLength(1);
    expect(file).toContain('grace.votes(poll2.message_id, poll3.poll.options[0]?.option_id ?? "", "remove")');
  });

  test("keeps the chat of a group whose members change", () => {
    const file = written([
      { ...group, ...says, text: "hi all", messageId: "m1", isNewGroup: true },
      { ...group, type: "addsMember", member: "+15550100103" },
      { ...group, ...says, others: [GRACE.handle, "+15550100103"], text: "welcome", messageId: "m2" },
      { ...group, type: "removesMember", member: "+15550100103", others: [GRACE.handle, "+15550100103"] },
    ]);
    expect(file).toContain("const phone = await sim.phone().exists();");
    expect(file).toContain('says("welcome", { to: message1.chat_id ?? "" })');
    expect(file).toContain('body: { chat_id: message1.chat_id ?? "", handle: phone.handle }');
    expect(file).not.toContain("opening");
  });

  test("shares and stops sharing a location", () => {
    const position = { latitude: 37.7955, longitude: -122.3937 };
    const file = written([
      { ...direct, ...says, text: "here", messageId: "m1" },
      { ...direct, type: "sharesLocation", position, endsInSeconds: 3600 },
      { ...direct, type: "sharesLocation", position, endsInSeconds: null },
      { ...direct, type: "stopsSharing" },
    ]);
    expect(file).toContain("ends_in_seconds: 3600");
    expect(file).toContain(
      'sharesLocation({ latitude: 37.7955, longitude: -122.3937 }, message1.chat_id ?? "");',
    );
    expect(file).toContain('stopsSharingLocation(message1.chat_id ?? "");');
  });

  test("sends a moment of silence in place of a voice memo, unsends a message and moves a shared location", () => {
    const position = { latitude: 37.7955, longitude: -122.3937 };
    const file = written([
      { ...direct, type: "sendsVoiceMemo", messageId: "m1", isNewGroup: false },
      { ...direct, ...says, text: "oops", messageId: "m2" },
      { ...direct, type: "unsends", messageId: "m2" },
      { ...direct, type: "movesLocation", position },
    ]);
    expect(file.match(/^const MEMO = /gm)).toHaveLength(1);
    const [, header = ""] = /Buffer\.from\("([^"]+)", "base64"\)/.exec(file) ?? [];
    const wav = Buffer.from(header, "base64");
    expect([wav.length, wav.toString("latin1", 0, 4), wav.readUInt32LE(40)]).toEqual([44, "RIFF", 800]);
    expect(file).toContain(
      'says({ parts: [{ type: "media", filename: "Voice memo.wav", data: MEMO, voice_memo: true }] })',
    );
    expect(file).toContain('await adasIphone.unsends(message2.message_id ?? "");');
    expect(file).toContain(
      'movesLocation({ latitude: 37.7955, longitude: -122.3937 }, message1.chat_id ?? "");',
    );
    expect(file).not.toContain("IMAGE");
  });

  test("names a second line, and says what it leaves out", () => {
    const file = written([
      { ...direct, ...says, text: "one", messageId: "m1" },
      { ...direct, ...says, line: "+15550100002", chatId: "other", text: "two", messageId: "m2" },
      { type: "skipped", phone: ADA.handle, what: "a vote in a poll" },
      { ...direct, type: "reacts", messageId: "before", reaction: "love", emoji: null, isRemoved: false },
      { type: "connects", phone: ADA.handle, connection: "airplane_mode" },
    ]);
    expect(file).toContain("createSimulator({ lines: 2 })");
    expect(file).toContain('const [, otherLine = ""] = sim.lines;');
    expect(file).toContain('adasIphone.says("two", { to: otherLine })');
    expect(file).toContain("// Left out: a vote in a poll.");
    expect(file).toContain("// Left out: an action on a message from before the recording.");
    expect(file).toContain('await adasIphone.is({ connection: "airplane_mode" });');
  });

  test("gives two phones of the same name two names, and a name without letters a general one", () => {
    const file = writeTestFile(
      [
        { ...direct, ...says, text: "one", messageId: "m1" },
        { ...direct, ...says, phone: GRACE.handle, text: "two", messageId: "m2" },
      ],
      [
        { ...ADA, name: "+15550100101" },
        { ...GRACE, name: "+15550100102", platform: "iphone" },
      ],
    );
    expect(file).toContain("const phone = await sim.phone()");
    expect(file).toContain("const phone2 = await sim.phone()");
  });
});
