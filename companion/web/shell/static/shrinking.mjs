// @ts-check
/** Photos made smaller before they are sent. */

const MAX_SIDE_PX = 2600;
const SMALL_BYTES = 900_000;
/** Newer browsers turn a picture as its own data say without being told. */
const UPRIGHT = /** @type {ImageBitmapOptions} */ (
  /** @type {unknown} */ ({ imageOrientation: "from-image" })
);

/**
 * A photo with no more pixels than the reader uses, as JPEG; the file itself where it is small.
 * @param {File} file
 * @returns {Promise<Blob>}
 */
export async function reduced(file) {
  if (file.size < SMALL_BYTES) return file;
  try {
    const picture = await createImageBitmap(file, UPRIGHT);
    const scale = Math.min(1, MAX_SIDE_PX / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    pen.imageSmoothingQuality = "high";
    pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    /** @type {Blob | null} */
    const small = await new Promise((come) => canvas.toBlob(come, "image/jpeg", 0.92));
    return small && small.size < file.size ? small : file;
  } catch {
    return file;
  }
}
