// Elements of a page. Text from games only ever becomes text: nothing here parses markup.

/**
 * The element with an id, which the page must have.
 * @param {string} id
 * @returns {any} an element; of which kind is known to the caller
 */
export function $(id) {
  return document.getElementById(id);
}

/**
 * The elements that a selector finds.
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {any[]} elements; of which kind is known to the caller
 */
export function all(selector, within = document) {
  return [...within.querySelectorAll(selector)];
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 * @returns {any} an HTML element
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} [attributes]
 * @param {string | number} [text]
 * @returns {SVGGraphicsElement}
 */
export function svg(name, attributes = {}, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== "") made.textContent = String(text);
  return /** @type {SVGGraphicsElement} */ (made);
}

/**
 * @param {string} text
 * @param {(event: MouseEvent) => unknown} work
 * @param {Record<string, string>} [attributes]
 * @returns {HTMLButtonElement}
 */
export function button(text, work, attributes = {}) {
  const made = element("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", work);
  return made;
}

/**
 * Set a text that changes often. An equal text touches nothing.
 * @param {Element} place
 * @param {string} text
 */
export function write(place, text) {
  if (place.textContent !== text) place.textContent = text;
}
