// The page: the shell and whatever parts the build found.
import * as bloomery from "bloomery";
import { parts, texts } from "page-parts";
import { loadModule } from "./shell/load.js";
import { startShell } from "./shell/shell.js";

startShell({ body: document.body, parts, texts, bloomery, load: loadModule });
