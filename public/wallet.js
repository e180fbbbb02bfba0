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
  throw Object.assign(new Error(json.error?.message), { status: answer.status });
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

const report = document.getElementById("status");
const code = document.getElementById("code");

/** Asks for what the passkey is to sign, for the code where the page has one; null = the code is not right. */
async function ask(options) {
  try {
    return await post(options, code === null ? {} : { code: code.value });
  } catch (error) {
    if (code !== null && error.status === 400) return null;
    throw error;
  }
}

for (const button of document.querySelectorAll("button[data-passkey]")) {
  button.addEventListener("click", async () => {
    const { passkey, options, answer, next, waiting, notConfirmed, wrongCode, failed } = button.dataset;
    if (code !== null && !code.reportValidity()) return;
    button.disabled = true;
    report.textContent = waiting;
    try {
      const asked = await ask(options);
      if (asked === null) {
        report.textContent = wrongCode;
        button.disabled = false;
        return;
      }
      await post(answer, passkey === "create" ? await create(asked) : await sign(asked));
      location.assign(next);
    } catch (error) {
      const stopped = error.name === "NotAllowedError";
      report.textContent = stopped ? notConfirmed : failed;
      button.disabled = false;
    }
  });
}

for (const button of document.querySelectorAll("button[data-send]")) {
  button.addEventListener("click", async () => {
    const { send, next, tooMany, failed } = button.dataset;
    button.disabled = true;
    try {
      await post(send, {});
      location.assign(next);
    } catch (error) {
      report.textContent = error.status === 429 ? tooMany : failed;
      button.disabled = false;
    }
  });
}
