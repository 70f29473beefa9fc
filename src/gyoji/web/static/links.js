// A link to give to a person: as text to copy, and as a QR code for a telephone.

import { button, element, svg } from "./dom.js";
import { careful, request } from "./feed.js";

/** Copy a text, and confirm that on the button. @param {HTMLButtonElement} made @param {string} text */
export async function copyBy(made, text) {
  await navigator.clipboard.writeText(text);
  const before = made.textContent;
  made.textContent = "copied";
  setTimeout(() => { made.textContent = before; }, 2000);
}

/**
 * Make the QR code of an address.
 * @param {string} address
 * @param {string} words what it leads to
 */
export async function qrCode(address, words) {
  const { size, path } = await request("/api/v1/qr", { text: address }, { right: "" });
  const margin = 4; // of light around it, as scanners need it
  const picture = svg("svg", { class: "qr", viewBox: `${-margin} ${-margin} ${size + 2 * margin} ${size + 2 * margin}`, role: "img", "aria-label": `QR code: ${words}` });
  picture.append(svg("rect", { x: -margin, y: -margin, width: size + 2 * margin, height: size + 2 * margin, fill: "#fff" }), svg("path", { d: path, fill: "#000" }));
  return picture;
}

/**
 * Return the warning that a link with this address works on this computer only, and the remedy; "" if it works elsewhere.
 * @param {string} address
 */
export function reach(address) {
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(address).hostname);
  return isLocal ? "These links work on this computer only: for others, start gyoji serve with --bind 0.0.0.0 --host-name NAME, and open this page by that name." : "";
}

/** Closes the QR code that is shown. */
let closeShown = () => {};

/**
 * Make a link with a text field, a button that copies it, and one that shows its QR code.
 * @param {string} name whose link it is
 * @param {string} address
 * @param {...Node} more
 */
export function linkLine(name, address, ...more) {
  const input = element("input", { class: "wide", readonly: "", "aria-label": `link of ${name}`, value: address });
  input.addEventListener("focus", () => input.select());
  const copy = button("copy", careful(() => {
    input.select();
    return copyBy(copy, address);
  }));
  const place = element("span", { class: "qr-place" });
  const code = button("QR code", careful(async () => {
    const wasShown = Boolean(place.firstChild);
    closeShown();
    closeShown = () => {};
    if (wasShown) return;
    const picture = await qrCode(address, `the link of ${name}`);
    closeShown(); // of a second click meanwhile
    closeShown = () => {
      place.replaceChildren();
      code.setAttribute("aria-expanded", "false");
    };
    place.replaceChildren(element("b", { class: "qr-name" }, name), picture);
    code.setAttribute("aria-expanded", "true");
    place.scrollIntoView({ block: "nearest" });
  }), { "aria-expanded": "false" });
  return element("div", { class: "link-line" }, input, " ", element("span", { class: "buttons" }, copy, code, ...more), place);
}
