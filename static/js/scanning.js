// The camera as a reader of QR codes: for a page that shows its picture in a <video>. Needs https.
const EVERY = 150; // ms between looks through the camera
const SIDE = 720; // pixels of a picture that is looked at

export const reader = async () => {
  if (globalThis.BarcodeDetector && (await BarcodeDetector.getSupportedFormats()).includes("qr_code")) {
    const detector = new BarcodeDetector({ formats: ["qr_code"] });
    return async (picture) => (await detector.detect(picture))[0]?.rawValue;
  }
  const { decodeQR } = await import("../vendor/qr/decode.js");
  return async (picture) => {
    try {
      return decodeQR(picture.getContext("2d").getImageData(0, 0, picture.width, picture.height));
    } catch {
      return undefined; // no code in this one
    }
  };
};

// Opens the camera and gives what is read to `found` until it answers true or the film is stopped; gives a function that stops. Throws
// where there is no camera or nobody allows it.
export const film = async (video, found) => {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  let running = true;
  const stop = () => {
    running = false;
    for (const track of stream.getTracks()) track.stop();
    video.srcObject = null;
  };
  const look = async () => {
    video.srcObject = stream;
    await video.play();
    const read = await reader();
    const picture = document.createElement("canvas");
    while (running) {
      const scale = Math.min(1, SIDE / Math.max(video.videoWidth, video.videoHeight));
      picture.width = video.videoWidth * scale;
      picture.height = video.videoHeight * scale;
      picture.getContext("2d", { willReadFrequently: true }).drawImage(video, 0, 0, picture.width, picture.height);
      const text = await read(picture);
      if (text && running && (await found(text))) return stop();
      await new Promise((resolve) => setTimeout(resolve, EVERY));
    }
  };
  look();
  return stop;
};
