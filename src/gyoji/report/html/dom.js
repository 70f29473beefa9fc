// Functions to find and make elements. Text from games is always inserted as text, never parsed as markup.

/**
 * Return the element with an id, which must exist.
 * @param {string} id
 * @returns {any} an element; of which kind is known to the caller
 */
export function $(id) {
  return document.getElementById(id);
}

/**
 * Return the elements that a selector matches.
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
 * Set the text of an element, unless it is the same.
 * @param {Element} place
 * @param {string} text
 */
export function write(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/** What the children of an element were made of, as JSON. @type {WeakMap<Element, string>} */
const filled = new WeakMap();

/**
 * Replace the children of an element, unless they were made of the same values: a button that is pressed has to stay,
 * or the press is lost.
 * @param {Element} place
 * @param {any} values all that the children depend on
 * @param {() => Node[]} make
 */
export function fill(place, values, make) {
  const now = JSON.stringify(values);
  if (filled.get(place) === now) return;
  filled.set(place, now);
  place.replaceChildren(...make());
}
