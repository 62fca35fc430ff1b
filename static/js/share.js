// <button hidden data-share="address" data-share-title="…" data-share-picture="address of a PNG"> gives link and picture to whatever the phone
// shares with; browsers that share nothing leave it hidden, and the address beside it is there to be copied.
const WAIT = 3000; // milliseconds for the picture: without it the link goes alone

const fetched = async (address) => {
  const answer = await fetch(address, { signal: AbortSignal.timeout(WAIT) });
  if (!answer.ok) return null;
  return new File([await answer.blob()], "position.png", { type: "image/png" });
};

for (const button of navigator.share ? document.querySelectorAll("[data-share]") : []) {
  const { share: url, shareTitle: title, sharePicture: address } = button.dataset;
  let picture = null;
  // Asked for as soon as somebody reaches for the button: what is shared has to follow the tap at once.
  const prepare = () => {
    picture ??= address ? fetched(address).catch(() => null) : Promise.resolve(null);
  };
  for (const kind of ["pointerenter", "pointerdown", "focus"]) button.addEventListener(kind, prepare);
  button.addEventListener("click", async () => {
    prepare();
    const file = await picture;
    if (!file) picture = null; // the next tap tries again
    const link = { title, url };
    const whole = { ...link, files: [file] };
    try {
      await navigator.share(file && navigator.canShare?.(whole) ? whole : link);
    } catch (error) {
      if (error.name === "AbortError") return; // somebody has thought better of it
      const field = document.querySelector("#share-url");
      field?.focus();
      field?.select();
    }
  });
  button.hidden = false;
}
