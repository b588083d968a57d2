// C text with its words coloured.

const KEYWORDS = new Set(
  ("auto break case char const continue default do double else enum extern float for goto if " +
    "inline int long register return short signed sizeof static struct switch typedef union " +
    "unsigned void volatile while _Bool bool").split(" "));
const WORDS =
  /(\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*)|("(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?)|([A-Za-z_]\w*)|(\b\d[\w.]*)/g;

/** Show C text; what is no comment, string, keyword or number stays plain. */
function codeBlock(text) {
  const block = h("pre", null);
  let at = 0;
  for (const match of text.matchAll(WORDS)) {
    const [word, comment, string, name, figure] = match;
    if (name && !KEYWORDS.has(name)) continue;
    const kind = comment ? "c" : string ? "s" : figure ? "n" : null;
    block.append(text.slice(at, match.index), kind ? h("span", { class: kind }, word) : h("b", null, word));
    at = match.index + word.length;
  }
  block.append(text.slice(at));
  return block;
}
