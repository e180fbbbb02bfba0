import { expect, test } from "vitest";
import { EndpointSlots } from "@/lib/webhooks/deliveries/claim/endpoint-slots";

function placesOf(slots: EndpointSlots, id: string): number {
  const { subscriptionIds, places } = slots.free();
  return places[subscriptionIds.indexOf(id)] ?? slots.first;
}

test("deliveries in progress take places, which are granted again once half of them are free", () => {
  const slots = new EndpointSlots(512);
  const { first } = slots;
  for (let count = 0; count < first; count++) slots.take("a");
  expect(placesOf(slots, "a")).toBe(0);
  expect(placesOf(slots, "b")).toBe(first);

  slots.release("a", true);
  expect([placesOf(slots, "a"), slots.isReady("a")]).toEqual([0, false]);
  while (placesOf(slots, "a") === 0) slots.release("a", true);
  expect(placesOf(slots, "a")).toBeGreaterThanOrEqual(first / 2);
  expect(slots.isReady("a")).toBe(true);
});

test("an endpoint that was offered more places than there was due for it waits to be woken", () => {
  const slots = new EndpointSlots(512);
  slots.take("a");
  slots.note(slots.free(), new Map([["a", 3]]));
  expect(slots.isReady("a")).toBe(false);
  const offer = slots.free();
  slots.note(offer, new Map([["a", placesOf(slots, "a")]]));
  expect(slots.isReady("a")).toBe(true);
});

test("an endpoint in trouble keeps four places at least, and grows again to 128 at most", () => {
  const slots = new EndpointSlots(512);
  for (let count = 0; count < 20; count++) {
    slots.take("a");
    slots.release("a", false);
  }
  expect(placesOf(slots, "a")).toBe(4);
  for (let count = 0; count < 200; count++) {
    slots.take("a");
    slots.release("a", true);
  }
  expect(placesOf(slots, "a")).toBe(128);
});

test("an endpoint without a delivery in progress gets a place while many others hang", () => {
  const slots = new EndpointSlots(512);
  for (let endpoint = 0; endpoint < 100; endpoint++) {
    const places = placesOf(slots, `hangs-${endpoint}`);
    expect(places).toBeGreaterThan(0);
    for (let place = 0; place < places; place++) slots.take(`hangs-${endpoint}`);
  }
  expect(slots.claimable).toBeGreaterThan(0);
  expect(placesOf(slots, "new")).toBe(1);
  expect(placesOf(slots, "hangs-0")).toBe(0);

  slots.take("new");
  slots.release("new", true);
  expect(placesOf(slots, "new")).toBe(1);
});

test("a claim takes shared slots first, then the slots reserved for idle endpoints", () => {
  const slots = new EndpointSlots(512);
  expect(slots.claimable).toBe(384);
  for (let place = 0; place < 384; place++) slots.take(`a-${place % 10}`);
  expect(slots.claimable).toBe(128);
});
