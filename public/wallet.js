// The wallet's pages: asks the device's passkey what the server wants to know, and hands its answer back.
const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

async function post(url, body) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const json = await answer.json();
  if (answer.ok) return json;
  throw new Error(json.error?.message);
}

async function create(options) {
  const credential = await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: bytes(options.challenge),
      user: { ...options.user, id: bytes(options.user.id) },
      excludeCredentials: [],
    },
  });
  const { clientDataJSON, attestationObject } = credential.response;
  return answerOf(credential, {
    clientDataJSON: text(clientDataJSON),
    attestationObject: text(attestationObject),
    transports: credential.response.getTransports?.(),
  });
}

async function sign(options) {
  const credential = await navigator.credentials.get({
    publicKey: {
      ...options,
      challenge: bytes(options.challenge),
      allowCredentials: options.allowCredentials.map(({ id, type }) => ({ id: bytes(id), type })),
    },
  });
  const { clientDataJSON, authenticatorData, signature } = credential.response;
  return answerOf(credential, {
    clientDataJSON: text(clientDataJSON),
    authenticatorData: text(authenticatorData),
    signature: text(signature),
  });
}

function answerOf(credential, response) {
  return { id: credential.id, rawId: text(credential.rawId), type: credential.type, response };
}

for (const button of document.querySelectorAll("button[data-passkey]")) {
  const said = document.getElementById("said");
  button.addEventListener("click", async () => {
    const { passkey, options, answer, next, waiting, notConfirmed, failed } = button.dataset;
    button.disabled = true;
    said.textContent = waiting;
    try {
      const asked = await post(options, {});
      await post(answer, passkey === "create" ? await create(asked) : await sign(asked));
      location.assign(next);
    } catch (error) {
      const stopped = error.name === "NotAllowedError";
      said.textContent = stopped ? notConfirmed : failed;
      button.disabled = false;
    }
  });
}
