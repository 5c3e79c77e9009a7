// What the pages do beyond links and forms. Everything here is an addition: without it the forms
// still post and the pages still answer.

const each = (selector, act, root = document) => root.querySelectorAll(selector).forEach(act);

// ---- menu on small screens ----
each("[data-menu]", (button) => {
  const nav = document.getElementById(button.getAttribute("aria-controls"));
  button.addEventListener("click", () => {
    const open = nav.classList.toggle("open");
    button.setAttribute("aria-expanded", String(open));
  });
});

// ---- dialogs ----
function prepareDialogs(root) {
  each("[data-opens]", (button) => {
    button.hidden = false;
    button.addEventListener("click", () => document.getElementById(button.dataset.opens).showModal());
  }, root);
  each("[data-closes]", (button) => {
    button.hidden = false;
    button.addEventListener("click", () => button.closest("dialog").close());
  }, root);
}

// ---- moments in the reader's own time ----
function localise(root) {
  each("time[data-local]", (time) => {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.getTime())) return;
    time.textContent = moment.toLocaleString(document.documentElement.lang, {
      year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit",
    });
    time.removeAttribute("data-local");
  }, root);
}

// ---- file drop ----
each("[data-drop]", (drop) => {
  const input = drop.querySelector("input");
  const chosen = drop.querySelector("[data-chosen]");
  const show = () => { chosen.textContent = input.files.length ? input.files[0].name : ""; };
  input.addEventListener("change", show);
  for (const name of ["dragenter", "dragover"]) input.addEventListener(name, () => drop.classList.add("over"));
  for (const name of ["dragleave", "drop"]) input.addEventListener(name, () => drop.classList.remove("over"));
  show();
});

// ---- timer: the server says how much time is left, this only counts on; the clock of this
// machine may be wrong, so only time that passes here is used ----
function tick() {
  each("[data-timer]", (timer) => {
    if (timer.hasAttribute("data-stopped")) return;
    timer.since ??= performance.now();
    const left = Number(timer.dataset.left) - Math.floor((performance.now() - timer.since) / 1000);
    const seconds = Math.abs(left);
    const hours = Math.floor(seconds / 3600);
    const minutes = Math.floor((seconds % 3600) / 60);
    const rest = String(seconds % 60).padStart(2, "0");
    timer.querySelector("[data-clock]").textContent =
      hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
    timer.querySelector("[data-over]").hidden = left >= 0;
    timer.classList.toggle("over", left < 0);
  });
}
if (document.querySelector("[data-room]")) setInterval(tick, 1000);

// ---- the draft stays in this browser until its answer has been taken ----
const DRAFT = "shardwise.draft.";

function keepDrafts(root) {
  each("form[data-draft]", (form) => {
    if (form.dataset.ready) return;
    form.dataset.ready = "yes";
    const name = DRAFT + form.dataset.draft;
    const box = form.querySelector("textarea");
    const count = form.querySelector("[data-count]");
    const saved = localStorage.getItem(name);
    if (saved && !box.value) box.value = saved;
    const remember = () => {
      count.textContent = String([...box.value].length);
      if (box.value) localStorage.setItem(name, box.value);
      else localStorage.removeItem(name);
    };
    box.addEventListener("input", remember);
    box.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) {
        event.preventDefault();
        form.requestSubmit();
      }
    });
    count.textContent = String([...box.value].length);
  }, root);
}

// Drafts of turns that have been answered are not needed any more. `data-keeps` names the turn
// that still awaits its answer, whether its form is shown or the interview is paused.
function dropOldDrafts() {
  const room = document.querySelector("[data-room]");
  const box = document.querySelector("[data-keeps]");
  if (!room || !box) return;
  dropDrafts((name) => name.startsWith(`${DRAFT}${room.dataset.room}/`) && name !== DRAFT + box.dataset.keeps);
}
function dropDrafts(isOld) {
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith(DRAFT) && isOld(name)) localStorage.removeItem(name);
  }
}
// A short question that has been answered or skipped needs its draft no more.
each("[data-drop-draft]", (one) => localStorage.removeItem(DRAFT + one.dataset.dropDraft));
// Deleting everything includes what only this browser has.
each("form[data-forgets]", (form) => form.addEventListener("submit", () => dropDrafts(() => true)));

// ---- a stream that ends in the middle says so ----
function showLost() {
  const lost = document.getElementById("lost");
  const status = document.getElementById("status");
  if (lost && status.querySelector(".working")) status.replaceChildren(lost.content.cloneNode(true));
}
document.addEventListener("htmx:finally:request", () => setTimeout(showLost, 100));
document.addEventListener("htmx:error", showLost);

// ---- one submit at a time ----
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.sending) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  if (!form.hasAttribute("hx-post") && form.method === "post") {
    form.dataset.sending = "yes";
    setTimeout(() => { delete form.dataset.sending; }, 4000);
  }
}, true);
window.addEventListener("pageshow", () => each("form[data-sending]", (form) => { delete form.dataset.sending; }));

// ---- print ----
each("[data-print]", (button) => {
  button.hidden = false;
  button.addEventListener("click", () => print());
});
window.addEventListener("beforeprint", () => each("main details", (one) => { one.open = true; }));

// ---- the board: cards by mouse and by key ----
// Both ways fill in and send the form that every card has, so the server decides alone.
function moveCard(card, column) {
  const form = card.querySelector("form");
  const select = form.querySelector("select");
  if (!column || select.value === column) return;
  select.value = column;
  form.requestSubmit();
}
const board = document.querySelector("[data-board]");
if (board) {
  let carried = null;
  board.addEventListener("dragstart", (event) => {
    carried = event.target.closest("[data-card]");
    if (carried) event.dataTransfer.setData("text/plain", carried.dataset.card);
  });
  board.addEventListener("dragover", (event) => {
    const column = event.target.closest("[data-column]");
    each(".column.over", (one) => one.classList.remove("over"), board);
    if (!carried || !column) return;
    event.preventDefault();
    column.classList.add("over");
  });
  board.addEventListener("drop", (event) => {
    const column = event.target.closest("[data-column]");
    if (!carried || !column) return;
    event.preventDefault();
    moveCard(carried, column.dataset.column);
    carried = null;
  });
  board.addEventListener("dragend", () => {
    carried = null;
    each(".column.over", (one) => one.classList.remove("over"), board);
  });
  board.addEventListener("keydown", (event) => {
    const card = event.target.closest("[data-card]");
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!card || !step || !event.altKey) return;
    event.preventDefault();
    const columns = [...board.querySelectorAll("[data-column]")].map((one) => one.dataset.column);
    const here = columns.indexOf(card.closest("[data-column]").dataset.column);
    moveCard(card, columns[here + step]);
  });
}

// ---- pieces that arrive later ----
function prepare(root) {
  prepareDialogs(root);
  localise(root);
  keepDrafts(root);
}
function welcome(piece) {
  piece.removeAttribute("data-fresh");
  prepare(piece);
  dropOldDrafts();
  tick();
  const focus = piece.querySelector("[data-focus]");
  if (!focus) return;
  focus.focus({ preventScroll: true });
  (focus.closest("form, .notice") ?? focus).scrollIntoView({ block: "nearest" });
}
document.addEventListener("htmx:after:swap", () => each("[data-fresh]", welcome));
// A box that was dragged larger carries an inline size, which htmx would copy to the box that
// follows; the policy of the pages forbids setting inline styles.
document.addEventListener("htmx:before:swap", () => each("#answer [style], #workshop [style], #columns [style]", (one) => one.removeAttribute("style")));
each("[data-fresh]", (piece) => piece.removeAttribute("data-fresh"));
prepare(document);
dropOldDrafts();
tick();
if (document.querySelector("[data-room]")) document.getElementById("answer").scrollIntoView({ block: "nearest" });
