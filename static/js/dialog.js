// <a|button data-dialog="id"> opens <dialog id>, <form data-confirm="question"> asks before it is sent,
// <form data-busy> (every form, by default) is sent once however often the button is pressed, <form data-holds> only when the
// site answers: without network what was typed stays on the page, with a word, instead of the browser's own error page.
const texts = document.getElementById("interface-texts")?.dataset ?? {};

// A form that came back with faults: reading starts there, or typing where only a field says what is wrong.
const faults =
  document.querySelector('form[method="post"] [data-error-summary]') ?? document.querySelector('form[method="post"] .has-error [aria-invalid="true"]');
// Whoever signs in or up begins to type at once.
(faults ?? document.querySelector(".is-entrance main form input:not([type=hidden], [type=checkbox])"))?.focus();

document.addEventListener("click", (event) => {
  const opener = event.target.closest?.("[data-dialog]");
  const dialog = opener && document.getElementById(opener.dataset.dialog);
  if (dialog?.showModal) {
    event.preventDefault();
    dialog.showModal();
    return;
  }
  if (event.target.closest?.("[data-dialog-close]")) {
    event.preventDefault();
    event.target.closest("dialog")?.close();
  } else if (event.target.nodeName === "DIALOG") {
    const box = event.target.getBoundingClientRect();
    const inside =
      event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
    if (!inside) event.target.close(); // a click on the veil
  }
});

const button = (words, className) => {
  const made = document.createElement("button");
  made.type = "submit";
  made.className = className;
  made.textContent = words;
  return made;
};

const ask = (form, submitter) => {
  const source = submitter?.dataset.confirm ? submitter : form;
  const dialog = document.createElement("dialog");
  dialog.className = "dialog";
  const body = document.createElement("form");
  body.method = "dialog";
  body.className = "dialog-body";
  const question = document.createElement("p");
  question.id = "confirm-question";
  question.textContent = source.dataset.confirm;
  dialog.setAttribute("aria-labelledby", question.id);
  const actions = document.createElement("div");
  actions.className = "dialog-actions";
  const no = button(texts.cancel ?? "Cancel", "button");
  no.value = "no";
  const danger = source.matches(".is-danger, [data-confirm-danger]") || submitter?.matches(".is-danger");
  const yes = button(
    source.dataset.confirmLabel ?? submitter?.textContent.trim() ?? texts.confirm ?? "OK",
    danger ? "button is-danger is-primary" : "button is-primary",
  );
  yes.value = "yes";
  actions.append(no, yes);
  body.append(question, actions);
  dialog.append(body);
  document.body.append(dialog);
  dialog.addEventListener("close", () => {
    const agreed = dialog.returnValue === "yes";
    dialog.remove();
    if (agreed) {
      form.dataset.agreed = "yes";
      form.requestSubmit(submitter ?? undefined);
      delete form.dataset.agreed;
    } else {
      submitter?.focus();
    }
  });
  dialog.showModal();
};

document.addEventListener("submit", (event) => {
  const form = event.target;
  const { submitter } = event;
  if (form.method === "dialog" || form.matches("[data-desk-line]")) return; // the command bar has a queue of its own
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  const asks = submitter?.dataset.confirm ?? form.dataset.confirm;
  if (asks && !form.dataset.agreed && !form.dataset.reached && HTMLDialogElement.prototype.showModal) {
    event.preventDefault();
    ask(form, submitter);
    return;
  }
  if (form.method === "post" && form.target !== "_blank") {
    form.querySelector("[data-unsent]")?.remove();
    form.dataset.sent = "yes";
    submitter?.setAttribute("aria-busy", "true");
    // A connection that never answers must not leave a dead button.
    setTimeout(() => release(form), 8000);
    if (!form.dataset.reached && (form.hasAttribute("data-holds") || !navigator.onLine)) {
      event.preventDefault();
      reach(form, submitter);
    }
  }
});

const answers = async () => {
  try {
    const answer = await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(6000) });
    return answer.ok && (await answer.json()).status === "ok"; // and not the page of a network that wants to be signed in to
  } catch {
    return false;
  }
};

const reach = async (form, submitter) => {
  const there = await answers();
  release(form);
  if (there) {
    form.dataset.reached = "yes";
    form.requestSubmit(submitter?.isConnected ? submitter : undefined);
    delete form.dataset.reached;
    return;
  }
  // Somebody may keep it and send it later (js/kept.js).
  if (!document.dispatchEvent(new CustomEvent("crawford:unsent", { cancelable: true, detail: { form, submitter } }))) return;
  const message = document.createElement("p");
  message.className = "message is-error";
  message.setAttribute("role", "alert");
  message.dataset.unsent = "";
  message.textContent = texts.unsent ?? "";
  const button = submitter?.closest(".form-actions, .button-row") ?? submitter;
  if (button && form.contains(button)) button.after(message);
  else form.append(message);
  message.scrollIntoView({ block: "nearest" });
};

// A key that is held down presses a button once: what the next page has under the focus is another question.
document.addEventListener("keydown", (event) => {
  if (event.repeat && event.key === "Enter" && event.target.closest?.("a, button, summary")) event.preventDefault();
});

const release = (form) => {
  delete form.dataset.sent;
  for (const busy of form.querySelectorAll('[aria-busy="true"]')) busy.removeAttribute("aria-busy");
};

addEventListener("pageshow", (event) => {
  if (event.persisted) document.querySelectorAll("form[data-sent]").forEach(release); // back button
});
