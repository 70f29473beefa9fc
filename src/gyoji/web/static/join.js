// The page of a remote player's link: the command by which its owner joins. The secret stays in the address.

import "./keys.js";
import { $ } from "./dom.js";
import { careful } from "./feed.js";
import { copyBy } from "./links.js";

$("command").value = `gyoji join "${location.href}" -- ENGINE`;
$("copy").addEventListener("click", careful(() => copyBy($("copy"), $("command").value)));
